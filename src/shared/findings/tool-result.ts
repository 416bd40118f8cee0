import { isObject } from '../protocol/json-rpc'
import { checkBlocks } from './content-blocks'
import { completeResult, methodAsked, shown } from './facts'
import type { Finding, JudgedCall } from './finding'
import { Report } from './report'
import { isRedacted, mayBeList, mayBeObject, objectsIn } from './shapes'

/** What a tool gives: blocks of content, and structured content beside them (server/tools, "Tool Result"). */
export function toolResult(call: JudgedCall): Finding[] {
  const findings: Finding[] = []
  for (const exchange of call.exchanges) {
    if (methodAsked(call, exchange) !== 'tools/call') continue
    const ended = completeResult(call, exchange)
    if (ended === undefined) continue
    const { result, seq, legacy } = ended
    const { content, structuredContent, isError } = result
    const report = new Report(findings, seq, legacy)
    if (!mayBeList(content)) {
      report.add(
        'tool-content-missing',
        `The result has ${shown(content)} as content; it must be a list, which may be empty.`,
      )
    }
    if (Array.isArray(content)) checkBlocks(content, 'content', report)
    if (isError !== undefined && typeof isError !== 'boolean' && !isRedacted(isError)) {
      report.add('tool-is-error-invalid', `isError is ${shown(isError)}; it must be true or false.`)
    }
    if (structuredContent === undefined) continue
    if (legacy && !mayBeObject(structuredContent)) {
      report.add(
        'structured-content-no-object',
        `structuredContent is ${shown(structuredContent)}; it must be an object.`,
      )
    }
    const text = isRedacted(content) || objectsIn(content).some(({ type }) => type === 'text' || isRedacted(type))
    if (!text && isObject(structuredContent)) {
      report.add('structured-content-without-text', 'The result has structured content, but no text with the same.')
    }
  }
  return findings
}
