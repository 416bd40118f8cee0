import type { CallEvent, HeaderList } from '../../src/shared/capture/events'
import type { Scenario, Step } from './modern-script'

type Unstamped<T> = T extends CallEvent ? Omit<T, 'seq' | 'at' | 'call'> : never

const SSE: HeaderList = [
  ['content-type', 'text/event-stream'],
  ['mcp-session-id', '«redacted 40»'],
]
const JSON_HEAD: HeaderList = [['content-type', 'application/json']]
const SESSION: HeaderList = [
  ['host', '127.0.0.1:7420'],
  ['mcp-session-id', '«redacted 40»'],
  ['mcp-protocol-version', '2025-06-18'],
  ['accept', 'application/json, text/event-stream'],
]
const MODERN_META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
}
const COMMAND = 'npx -y @modelcontextprotocol/server-filesystem /srv/files'

class Script {
  readonly steps: Step[] = []
  add(ms: number, event: Unstamped<CallEvent>): number {
    this.steps.push({ ms, event })
    return this.steps.length
  }
  received(era: 'modern' | 'legacy', method: string, params: object, name?: string): void {
    const headers: HeaderList =
      era === 'legacy'
        ? SESSION
        : [
            ['mcp-protocol-version', '2026-07-28'],
            ['mcp-method', method],
            ['accept', 'application/json, text/event-stream'],
            ...(name === undefined ? [] : [['mcp-name', name] as [string, string]]),
          ]
    const http = { method: 'POST', path: '/mcp', headers }
    const token = { progressToken: 'tok' }
    const meta = era === 'legacy' ? token : { ...token, ...MODERN_META }
    const asked = { ...(name && { name }), ...params, _meta: meta }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 4, method, params: asked })
    const client = era === 'legacy' ? { name: 'claude-desktop', version: '0.9.2' } : { name: 'trip-planner' }
    const more = { id: 4, method, ...(name !== undefined && { name }), client }
    const rest = { deferralWindowMs: 15_000, responseMode: 'auto' as const }
    this.add(0, { kind: 'call.received', endpoint: '/mcp', era, http, body, ...more, ...rest })
  }
  routed(
    ms: number,
    backend: string,
    backendEra: 'modern' | 'legacy',
    operation: string,
    exchange: number,
    round = 1,
  ): void {
    const edits = [
      { what: 'id' as const, at: '/id', was: '4', now: `"${exchange}"` },
      { what: 'progressToken' as const, at: '/params/_meta/progressToken', was: '"tok"', now: `${exchange}` },
    ]
    this.add(ms, { kind: 'call.routed', backend, backendEra, operation, round, edits })
  }
  passed(ms: number, message: 'notification' | 'request' | 'result', text: object, from?: number): void {
    const raw = JSON.stringify(text)
    this.add(ms, {
      kind: 'response.frame',
      form: 'event',
      message,
      raw,
      edits: [],
      ...(from !== undefined && { from }),
    })
  }
  committed(ms: number, form: 'sse' | 'json', cause: 'notification' | 'result' | 'error' | 'mode'): void {
    this.add(ms, {
      kind: 'response.committed',
      form,
      status: 200,
      cause,
      headers: form === 'sse' ? SSE : JSON_HEAD,
    })
  }
}

const rpc = (more: object) => ({ jsonrpc: '2.0', ...more })

/** A legacy client calls a modern backend that asks twice: the gateway drives the rounds. `open`: the second question waits. */
function driven(number: number, open: boolean): Step[] {
  const out = new Script()
  const operation = `op-driven-${number}`
  out.received('legacy', 'tools/call', { arguments: { city: 'Kyoto' } }, 'booking__book_trip')
  const asks = [
    { key: 'dates', message: 'When do you want to go to Kyoto?', answer: { depart: '2027-05-01', nights: 3 } },
    { key: 'confirmation', message: '3 nights in Kyoto from 2027-05-01 cost 315 €.', answer: { confirm: true } },
  ]
  const states = ['v1.eyJzdGVwIjoiZGF0ZXMifQ.bWFj', 'v1.eyJwIjp7ImRlcGFydCI6IjIwMjctMDUtMDEifX0.bWFj']
  const starts = [1, 1_900, 4_200]
  for (const [index, start] of starts.entries()) {
    if (open && index === 2) return out.steps
    const exchange = number * 10 + index
    const before = asks[index - 1]
    const params = {
      name: 'book_trip',
      arguments: { city: 'Kyoto' },
      _meta: { ...MODERN_META, 'io.modelcontextprotocol/clientCapabilities': { elicitation: {} } },
      ...(before && {
        requestState: states[index - 1],
        inputResponses: { [before.key]: { action: 'accept', content: before.answer } },
      }),
    }
    out.routed(start, 'booking', 'modern', operation, exchange, index + 1)
    const body = JSON.stringify(rpc({ id: `${exchange}`, method: 'tools/call', params }))
    const http = { method: 'POST', url: 'http://127.0.0.1:8002/mcp', headers: SESSION.slice(0, 1) }
    out.add(start + 1, { kind: 'upstream.sent', exchange, backend: 'booking', era: 'modern', http, body })
    out.add(start + 40, { kind: 'upstream.head', exchange, status: 200, headers: JSON_HEAD })
    const ask = asks[index]
    const properties = { depart: { type: 'string', format: 'date' }, nights: { type: 'integer' } }
    const request = ask && {
      method: 'elicitation/create',
      params: { mode: 'form', message: ask.message, requestedSchema: { type: 'object', properties } },
    }
    const result = ask
      ? { resultType: 'input_required', inputRequests: { [ask.key]: request }, requestState: states[index] }
      : { resultType: 'complete', content: [{ type: 'text', text: 'Booked: 3 nights in Kyoto for 315 €' }] }
    const raw = JSON.stringify(rpc({ id: `${exchange}`, result }))
    const from = out.add(start + 41, { kind: 'upstream.frame', exchange, form: 'body', raw })
    out.add(start + 42, { kind: 'upstream.ended', exchange, reason: 'complete' })
    if (ask === undefined) {
      out.passed(start + 44, 'result', rpc({ id: 4, result: { content: result.content } }), from)
      out.add(start + 45, { kind: 'call.ended', outcome: 'result', by: 'backend' })
      continue
    }
    if (index === 0) out.committed(start + 44, 'sse', 'notification')
    const id = `sluice-${index + 1}`
    out.passed(start + 45, 'request', rpc({ id, ...request }))
    if (open && index === 1) continue
    const answer = JSON.stringify(rpc({ id, result: { action: 'accept', content: ask.answer } }))
    out.add(start + (index === 0 ? 1_880 : 2_280), { kind: 'request.answered', by: 'client', raw: answer })
  }
  return out.steps
}
export const drivenBooking: Scenario = (number) => driven(number, false)
export const drivenOpen: Scenario = (number) => driven(number, true)

/** A legacy client and a legacy stdio backend that asks in the middle of its call. */
export const stdioAsks: Scenario = (number) => {
  const out = new Script()
  const exchange = number * 10
  out.received('legacy', 'tools/call', { arguments: { path: '/srv/files/a.txt' } }, 'files__delete_file')
  out.routed(0.6, 'files', 'legacy', `op-${number}`, exchange)
  const http = { method: 'stdio', url: COMMAND, headers: [] }
  const body = JSON.stringify(rpc({ id: `${exchange}`, method: 'tools/call', params: { name: 'delete_file' } }))
  out.add(1, { kind: 'upstream.sent', exchange, backend: 'files', era: 'legacy', http, body })
  const line = (ms: number, message: object) =>
    out.add(ms, { kind: 'upstream.frame', exchange, form: 'line', raw: JSON.stringify(rpc(message)) })
  const step = { method: 'notifications/progress', params: { progressToken: exchange, progress: 1, total: 3 } }
  const first = line(60, step)
  out.committed(61, 'sse', 'notification')
  out.passed(62, 'notification', rpc({ ...step, params: { ...step.params, progressToken: 'tok' } }), first)
  const log = line(140, { method: 'notifications/message', params: { level: 'info', data: 'found /srv/files/a.txt' } })
  out.passed(
    141,
    'notification',
    rpc({ method: 'notifications/message', params: { level: 'info', data: 'found' } }),
    log,
  )
  const question = {
    method: 'elicitation/create',
    params: { message: 'Delete /srv/files/a.txt for good?\u202e', requestedSchema: { type: 'object', properties: {} } },
  }
  const asked = line(260, { id: 0, ...question })
  out.passed(261, 'request', rpc({ id: 'sluice-1', ...question }), asked)
  const answer = JSON.stringify(rpc({ id: 0, result: { action: 'accept', content: { sure: true } } }))
  out.add(1_460, { kind: 'request.answered', to: asked, by: 'client', raw: answer })
  const last = line(1_540, { id: `${exchange}`, result: { content: [{ type: 'text', text: 'Deleted.' }] } })
  out.passed(1_541, 'result', rpc({ id: 4, result: { content: [{ type: 'text', text: 'Deleted.' }] } }), last)
  out.add(1_542, { kind: 'upstream.ended', exchange, reason: 'complete' })
  out.add(1_543, { kind: 'call.ended', outcome: 'result', by: 'backend' })
  return out.steps
}

/** A modern client and a legacy stdio backend that wants a model: refused at once. */
export const samplingRefused: Scenario = (number) => {
  const out = new Script()
  const exchange = number * 10
  out.received('modern', 'tools/call', { arguments: { text: 'long' } }, 'files__summarise')
  out.routed(0.6, 'files', 'legacy', `op-${number}`, exchange)
  const http = { method: 'stdio', url: COMMAND, headers: [] }
  const body = JSON.stringify(rpc({ id: `${exchange}`, method: 'tools/call', params: { name: 'summarise' } }))
  out.add(1, { kind: 'upstream.sent', exchange, backend: 'files', era: 'legacy', http, body })
  const params = { messages: [{ role: 'user', content: { type: 'text', text: 'Summarise this file.' } }] }
  const raw = JSON.stringify(rpc({ id: 3, method: 'sampling/createMessage', params }))
  const asked = out.add(84, { kind: 'upstream.frame', exchange, form: 'line', raw })
  const message =
    'The backend asked for sampling/createMessage in the middle of the call. It speaks a legacy revision, where that is a request on a live session; a modern client can only be asked by input_required (SEP-2322).'
  const told = JSON.stringify(rpc({ id: 3, error: { code: -32601, message } }))
  out.add(84.3, { kind: 'request.answered', to: asked, by: 'gateway', raw: told })
  out.committed(84.6, 'json', 'error')
  const error = { code: -32603, message }
  out.add(84.8, {
    kind: 'response.frame',
    form: 'body',
    message: 'error',
    raw: JSON.stringify(rpc({ id: 4, error: { ...error, data: { backend: 'files', reason: 'server-request' } } })),
    edits: [],
  })
  out.add(85, { kind: 'call.ended', outcome: 'error', by: 'gateway', error })
  out.add(85.4, {
    kind: 'response.withheld',
    from: asked,
    method: 'sampling/createMessage',
    reason: 'server-request',
    detail: message,
  })
  out.add(86, { kind: 'upstream.ended', exchange, reason: 'cancelled', detail: 'the call was ended' })
  return out.steps
}

/** A legacy HTTP backend that had forgotten the session, and whose stream then broke. */
export const sessionRenewed: Scenario = (number) => {
  const out = new Script()
  const exchange = number * 10
  out.received('legacy', 'tools/call', { arguments: { q: 'sluice' } }, 'github__search')
  out.routed(0.6, 'github', 'legacy', `op-${number}`, exchange)
  const http = { method: 'POST', url: 'https://mcp.example.com/mcp', headers: SESSION.slice(1) }
  const body = JSON.stringify(rpc({ id: `${exchange}`, method: 'tools/call', params: { name: 'search' } }))
  const sent = { kind: 'upstream.sent', exchange, backend: 'github', era: 'legacy' } as const
  out.add(1, { ...sent, http, body })
  out.add(90, { kind: 'upstream.head', exchange, status: 404, headers: JSON_HEAD })
  out.add(240, { ...sent, again: 'repeat', http, body })
  out.add(330, { kind: 'upstream.head', exchange, status: 200, headers: SSE })
  const step = rpc({ method: 'notifications/progress', params: { progressToken: exchange, progress: 1, total: 2 } })
  const up = out.add(360, {
    kind: 'upstream.frame',
    exchange,
    form: 'event',
    raw: `id: 7\nevent: message\ndata: ${JSON.stringify(step)}`,
  })
  out.committed(361, 'sse', 'notification')
  out.passed(362, 'notification', step, up)
  out.add(1_400, {
    ...sent,
    again: 'resume',
    http: { ...http, method: 'GET', headers: [...http.headers, ['last-event-id', '7']] },
  })
  out.add(1_480, { kind: 'upstream.head', exchange, status: 200, headers: SSE })
  const result = rpc({ id: `${exchange}`, result: { content: [{ type: 'text', text: '3 repositories' }] } })
  const last = out.add(1_500, {
    kind: 'upstream.frame',
    exchange,
    form: 'event',
    raw: `id: 8\nevent: message\ndata: ${JSON.stringify(result)}`,
  })
  const raw = JSON.stringify({ ...result, id: 4 })
  out.add(1_501, { kind: 'response.frame', form: 'event', message: 'result', kept: true, raw, from: last, edits: [] })
  out.add(1_502, { kind: 'upstream.ended', exchange, reason: 'complete' })
  out.add(1_503, { kind: 'call.ended', outcome: 'result', by: 'backend' })
  return out.steps
}

/** What a legacy client does by HTTP alone: the answer to a question, and the end of its session. */
function alone(method: string, body: string, detail: string): Step[] {
  const out = new Script()
  out.add(0, {
    kind: 'call.received',
    endpoint: '/mcp',
    era: 'legacy',
    http: { method, path: '/mcp', headers: SESSION },
    body,
    client: { name: 'claude-desktop', version: '0.9.2' },
    deferralWindowMs: 15_000,
    responseMode: 'auto',
  })
  out.add(0.4, { kind: 'response.committed', form: 'json', status: 202, cause: 'result', headers: [] })
  out.add(0.6, { kind: 'call.ended', outcome: 'result', by: 'gateway', detail })
  return out.steps
}
export const postedAnswer: Scenario = (number) =>
  alone(
    'POST',
    '{"jsonrpc":"2.0","id":"sluice-1","result":{"action":"accept"}}',
    `The answer to what call #${number - 1} asked this client.`,
  )
export const sessionEnd: Scenario = () => alone('DELETE', '', 'The client ended its session.')

/** The GET stream of a session, which stays open. */
export const sessionStream: Scenario = (number) => {
  const out = new Script()
  out.add(0, {
    kind: 'call.received',
    endpoint: '/mcp',
    era: 'legacy',
    http: { method: 'GET', path: '/mcp', headers: SESSION },
    body: '',
    client: { name: 'claude-desktop', version: '0.9.2' },
    deferralWindowMs: 15_000,
    responseMode: 'auto',
  })
  out.add(0.3, {
    kind: 'call.routed',
    backend: null,
    backends: ['files', 'github'],
    operation: `op-${number}`,
    round: 1,
    edits: [],
  })
  out.committed(0.5, 'sse', 'mode')
  const changed = rpc({ method: 'notifications/tools/list_changed' })
  const raw = JSON.stringify(changed)
  for (const [index, ms] of [4_000, 21_000, 44_000].entries()) {
    const unasked = index === 1 ? 'github' : 'files'
    const form = index === 1 ? ('event' as const) : ('line' as const)
    const text = form === 'event' ? `event: message\ndata: ${raw}` : raw
    const exchange = number * 10 + (index === 1 ? 1 : 0)
    const from = out.add(ms, { kind: 'upstream.frame', exchange, form, unasked, raw: text })
    out.passed(ms + 1, 'notification', changed, from)
  }
  for (let ms = 15_000; ms < 60_000; ms += 15_000) out.add(ms, { kind: 'response.ping' })
  return out.steps
}

/** A modern client's subscription, of which not all is honoured. */
export const listening: Scenario = () => {
  const out = new Script()
  const notifications = {
    toolsListChanged: true,
    promptsListChanged: true,
    resourceSubscriptions: ['file:///srv/files/a.txt', 'file:///srv/files/b.txt'],
  }
  out.received('modern', 'subscriptions/listen', { notifications })
  out.add(0.4, {
    kind: 'call.routed',
    backend: null,
    backends: ['weather', 'files'],
    operation: 'op-listen',
    round: 1,
    edits: [],
  })
  out.committed(30, 'sse', 'notification')
  const { promptsListChanged: _not, ...honoured } = notifications
  const acknowledged = { method: 'notifications/subscriptions/acknowledged', params: { notifications: honoured } }
  out.passed(31, 'notification', rpc(acknowledged))
  const updated = { method: 'notifications/resources/updated', params: { uri: 'file:///srv/files/a.txt' } }
  for (const ms of [3_000, 9_000, 30_000, 31_000, 50_000]) out.passed(ms, 'notification', rpc(updated))
  out.passed(40_000, 'notification', rpc({ method: 'notifications/tools/list_changed' }))
  for (let ms = 15_000; ms < 60_000; ms += 15_000) out.add(ms, { kind: 'response.ping' })
  return out.steps
}
