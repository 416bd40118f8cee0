import type { CallEvent, Edit, HeaderList } from '../../src/shared/capture/events'

type Unstamped<T> = T extends CallEvent ? Omit<T, 'seq' | 'at' | 'call'> : never
/** An event of an invented call: milliseconds since its request, and what happened. `from` and `seq` count its own events from 1. */
export interface Step {
  ms: number
  event: Unstamped<CallEvent>
}
export type Scenario = (number: number) => Step[]

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'trip-planner', version: '2.4.1' },
  'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
}
export const JSON_HEAD: HeaderList = [
  ['content-type', 'application/json'],
  ['x-powered-by', 'demo'],
]
const SSE_HEAD: HeaderList = [
  ['content-type', 'text/event-stream'],
  ['cache-control', 'no-cache, no-transform'],
  ['x-accel-buffering', 'no'],
]

interface Asked {
  method: string
  name?: string
  backend?: string
  params?: object
  meta?: object
  operation?: string
  round?: number
}

/** The request as it came and as it was sent on, with the edits in between. */
export function asked(number: number, { method, name, backend, params, meta, operation, round }: Asked): Step[] {
  const body = JSON.stringify({
    method,
    params: { ...(name === undefined ? {} : { name }), ...params, _meta: { ...META, ...meta } },
    jsonrpc: '2.0',
    id: number,
  })
  const upstreamName = name?.replace(/^[a-z]+__/, '')
  const edits: Edit[] = []
  let sent = body
  if (name !== undefined && upstreamName !== undefined && upstreamName !== name) {
    const offset = sent.indexOf(JSON.stringify(name))
    edits.push({
      what: 'name',
      at: '/params/name',
      was: JSON.stringify(name),
      now: JSON.stringify(upstreamName),
      offset,
    })
    sent = sent.replace(JSON.stringify(name), JSON.stringify(upstreamName))
  }
  edits.push({
    what: 'id',
    at: '/id',
    was: String(number),
    now: `"s-${number}"`,
    offset: body.lastIndexOf(String(number)),
  })
  sent = sent.replace(/"id":\d+\}$/, `"id":"s-${number}"}`)
  const headers: HeaderList = [
    ['host', '127.0.0.1:7420'],
    ['mcp-protocol-version', '2026-07-28'],
    ['mcp-method', method],
    ...(name === undefined ? [] : [['mcp-name', name] as [string, string]]),
    ['mcp-param-city', '=?base64?VHJvbXPDuA==?='],
    ['accept', 'application/json, text/event-stream'],
    ['content-type', 'application/json'],
    ['authorization', '[redacted]'],
  ]
  const token = (meta as { progressToken?: string } | undefined)?.progressToken
  const steps: Step[] = [
    {
      ms: 0,
      event: {
        kind: 'call.received',
        endpoint: '/mcp',
        era: 'modern',
        http: { method: 'POST', path: '/mcp', headers },
        body,
        id: number,
        method,
        ...(name === undefined ? {} : { name }),
        ...(token === undefined ? {} : { progressToken: token }),
        client: { name: 'trip-planner', version: '2.4.1' },
        deferralWindowMs: 15_000,
        pingIntervalMs: 15_000,
        responseMode: 'auto',
      },
    },
  ]
  if (backend === undefined) return steps
  steps.push(
    {
      ms: 0.4,
      event: {
        kind: 'call.routed',
        backend,
        backendEra: 'modern',
        ...(upstreamName === undefined ? {} : { name: upstreamName }),
        operation: operation ?? `op-${number}`,
        round: round ?? 1,
        edits,
      },
    },
    {
      ms: 0.9,
      event: {
        kind: 'upstream.sent',
        exchange: number,
        backend,
        http: { method: 'POST', url: 'http://127.0.0.1:8001/mcp', headers: headers.slice(1, 6) },
        body: sent,
      },
    },
  )
  return steps
}

const note = (method: string, params: object) => JSON.stringify({ method, params, jsonrpc: '2.0' })
export const progress = (value: number, total: number, message: string) =>
  note('notifications/progress', { progressToken: 'tok-7', progress: value, total, message })
export const log = (level: string, data: unknown) => note('notifications/message', { level, logger: 'forecast', data })

export class Writer {
  constructor(
    readonly number: number,
    readonly steps: Step[],
  ) {}
  add(ms: number, event: Unstamped<CallEvent>): number {
    this.steps.push({ ms, event })
    return this.steps.length
  }
  head(ms: number, form: 'json' | 'sse', status = 200): void {
    this.add(ms, {
      kind: 'upstream.head',
      exchange: this.number,
      status,
      headers: form === 'sse' ? SSE_HEAD : JSON_HEAD,
    })
  }
  commit(ms: number, form: 'json' | 'sse', cause: 'result' | 'error' | 'notification' | 'window', status = 200): void {
    this.add(ms, { kind: 'response.committed', form, status, cause, headers: form === 'sse' ? SSE_HEAD : JSON_HEAD })
  }
  event(ms: number, text: string): number {
    return this.add(ms, {
      kind: 'upstream.frame',
      exchange: this.number,
      form: 'event',
      raw: `event: message\ndata: ${text}`,
    })
  }
  pass(
    ms: number,
    text: string,
    from: number,
    form: 'event' | 'body' = 'event',
    message: 'notification' | 'result' | 'error' = 'notification',
  ): void {
    const id = `"s-${this.number}"`
    const edits: Edit[] =
      message === 'notification' || !text.includes(id)
        ? []
        : [{ what: 'id', at: '/id', was: id, now: String(this.number), offset: text.lastIndexOf(id) }]
    this.add(ms, { kind: 'response.frame', form, message, raw: text.replace(id, String(this.number)), from, edits })
  }
  end(
    ms: number,
    outcome: 'result' | 'tool-error' | 'error' | 'input-required' | 'cancelled',
    by: 'backend' | 'client' | 'gateway' = 'backend',
    error?: { code: number; message: string },
  ): Step[] {
    this.add(ms, { kind: 'call.ended', outcome, by, ...(error === undefined ? {} : { error }) })
    return this.steps
  }
  closed(ms: number, reason: 'complete' | 'cancelled' | 'lost' = 'complete', detail?: string): void {
    this.add(ms, { kind: 'upstream.ended', exchange: this.number, reason, ...(detail === undefined ? {} : { detail }) })
  }
  /** A whole answer as one JSON body. */
  body(ms: number, result: object, outcome: 'result' | 'tool-error' | 'input-required' = 'result'): Step[] {
    const text = JSON.stringify({ result, jsonrpc: '2.0', id: `s-${this.number}` })
    this.head(ms, 'json')
    const from = this.add(ms + 0.3, { kind: 'upstream.frame', exchange: this.number, form: 'body', raw: text })
    this.closed(ms + 0.4)
    this.commit(ms + 0.6, 'json', 'result')
    this.pass(ms + 0.7, text, from, 'body', 'result')
    return this.end(ms + 0.9, outcome)
  }
}

export const complete = (text: string) => ({
  content: [{ type: 'text', text }],
  resultType: 'complete',
  _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'demo-weather', version: '1.0.0' } },
})
