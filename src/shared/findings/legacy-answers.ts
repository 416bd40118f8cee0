import { LEGACY_VERSIONS, MODERN_VERSION } from '../protocol/revisions'
import { header, isLegacyExchange, shown } from './facts'
import type { Finding, JudgedCall } from './finding'
import { Report } from './report'
import { isRedacted } from './shapes'

/** Revisions that have no batches any more (2025-06-18 changelog). */
const WITHOUT_BATCHES: ReadonlySet<string> = new Set(['2025-06-18', '2025-11-25'])
const SESSION_ID = /^[\x21-\x7e]+$/

/** What holds for peers of older revisions alone (2025-11-25 basic/transports). */
export function legacyAnswers(call: JudgedCall): Finding[] {
  const findings: Finding[] = []
  const { request } = call
  if (call.summary.era === 'legacy' && request !== null) {
    const version = header(request.http.headers, 'mcp-protocol-version')
    if (version !== undefined && !isRevision(version)) {
      const report = new Report(findings, request.seq, true)
      report.add(
        'protocol-version-unknown',
        `MCP-Protocol-Version is ${shown(version)}, which no session can have agreed on.`,
      )
    }
  }
  for (const exchange of call.exchanges) {
    if (!isLegacyExchange(call, exchange)) continue
    const { head, sent, frames } = exchange
    const id = head === null ? undefined : header(head.headers, 'mcp-session-id')
    if (head !== null && id !== undefined && !isRedacted(id) && !SESSION_ID.test(id)) {
      new Report(findings, head.seq, true).add(
        'session-id-invalid',
        `Mcp-Session-Id is ${shown(id)}, which is no visible ASCII.`,
      )
    }
    const version = sent === null ? undefined : header(sent.http.headers, 'mcp-protocol-version')
    if (version === undefined || !WITHOUT_BATCHES.has(version)) continue
    for (const { message, raw, seq } of frames) {
      if (message?.kind !== 'invalid' || !/^(?:data:)?\s*\[/.test(raw.text)) continue
      new Report(findings, seq, true).add('batch-given-up', `The backend sent a batch; revision ${version} has none.`)
    }
  }
  return findings
}

/** The modern one, too: clients of both eras may send it before they know which server they talk to. */
function isRevision(version: string): boolean {
  return LEGACY_VERSIONS.has(version) || version === MODERN_VERSION || isRedacted(version)
}
