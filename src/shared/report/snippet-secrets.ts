import type { CallReceived } from '../capture/events'
import { exportRules } from '../capture/export-profile'
import { redactEvent } from '../capture/redaction'
import { SecretScan } from '../capture/secret-scan'
import type { SnippetSource } from './call-snippets'

export interface PlainSnippet {
  /** With marks in place of secrets, as an export has them. */
  source: SnippetSource
  /** True when something was taken out. */
  redacted: boolean
  /** What is left and looks like a secret, for instance `GitHub token`. */
  hints: string[]
}

/** What may be copied without asking: secrets are taken out by the rules of an export. */
export function withoutSecrets(source: SnippetSource): PlainSnippet {
  const { method, url, headers, body } = source
  const asReceived: CallReceived = {
    kind: 'call.received',
    seq: 1,
    at: 0,
    call: 1,
    endpoint: '',
    era: 'modern',
    http: { method, path: url, headers },
    body,
    deferralWindowMs: 0,
    responseMode: 'auto',
  }
  const event = redactEvent(asReceived, exportRules({ redaction: { headers: [], keys: [] } }))
  if (event.kind !== 'call.received') throw new Error('redaction made another event of it')
  const scan = new SecretScan()
  scan.look(JSON.stringify([event.http, event.body]), null, null)
  return {
    source: { method, url: event.http.path, headers: event.http.headers, body: event.body },
    redacted: event !== asReceived,
    hints: scan.hints.map(({ name }) => name),
  }
}
