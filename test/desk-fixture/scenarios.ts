import type { CallEvent, Edit, HeaderList, SealedState } from '../../src/shared/capture/events'

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
const JSON_HEAD: HeaderList = [
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
function asked(number: number, { method, name, backend, params, meta, operation, round }: Asked): Step[] {
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
const progress = (value: number, total: number, message: string) =>
  note('notifications/progress', { progressToken: 'tok-7', progress: value, total, message })
const log = (level: string, data: unknown) => note('notifications/message', { level, logger: 'forecast', data })

class Writer {
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

const complete = (text: string) => ({
  content: [{ type: 'text', text }],
  resultType: 'complete',
  _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'demo-weather', version: '1.0.0' } },
})

export const forecast: Scenario = (number) => {
  const out = new Writer(
    number,
    asked(number, {
      method: 'tools/call',
      name: 'weather__forecast',
      backend: 'weather',
      params: { arguments: { city: 'Tromsø', days: 5, precision: 1.0 } },
      meta: { progressToken: 'tok-7', 'io.modelcontextprotocol/logLevel': 'info' },
    }),
  )
  out.head(905, 'sse')
  const texts = ['reading stations', 'downloading grids', 'blending models', 'rendering', 'writing the summary']
  const first = out.event(911, progress(1, 5, texts[0]!))
  out.commit(912, 'sse', 'notification')
  out.pass(912.2, progress(1, 5, texts[0]!), first)
  const quiet = out.event(1402, log('debug', 'cache miss for grid 7'))
  out.add(1402.2, {
    kind: 'response.withheld',
    from: quiet,
    method: 'notifications/message',
    reason: 'below-log-level',
    detail: 'level "debug" is below the level "info" that this call asked for',
  })
  const second = out.event(1470, progress(2, 5, texts[1]!))
  out.pass(1470.2, progress(2, 5, texts[1]!), second)
  const warned = out.event(1900, log('warning', { station: 'TOS-4', late: '12 min' }))
  out.pass(1900.2, log('warning', { station: 'TOS-4', late: '12 min' }), warned)
  for (const [index, ms] of [2071, 2660].entries()) {
    const text = progress(index + 3, 5, texts[index + 2]!)
    out.pass(ms + 0.1, text, out.event(ms, text))
  }
  out.add(3050, { kind: 'upstream.frame', exchange: number, form: 'comment', raw: ': keepalive' })
  out.add(3200, { kind: 'response.ping' })
  const last = progress(5, 5, texts[4]!)
  out.pass(3320.1, last, out.event(3320, last))
  const result = JSON.stringify({
    result: complete('Snow until Thursday, then −12 °C and clear.'),
    jsonrpc: '2.0',
    id: `s-${number}`,
  })
  const from = out.event(3401, result)
  out.pass(3401.3, result, from, 'event', 'result')
  out.closed(3401.6)
  return out.end(3402, 'result')
}

export const silent: Scenario = (number) => {
  const out = new Writer(
    number,
    asked(number, {
      method: 'tools/call',
      name: 'archive__restore',
      backend: 'archive',
      params: { arguments: { file: 'report.pdf' } },
    }),
  )
  out.commit(15_000, 'sse', 'window')
  for (const ms of [15_000.2, 20_000, 25_000]) out.add(ms, { kind: 'response.ping' })
  out.head(31_198, 'json')
  const text = JSON.stringify({ result: complete('report.pdf is back.'), jsonrpc: '2.0', id: `s-${number}` })
  const from = out.add(31_199, { kind: 'upstream.frame', exchange: number, form: 'body', raw: text })
  out.pass(31_199.4, text, from, 'event', 'result')
  out.closed(31_199.6)
  return out.end(31_200, 'result')
}

export const current: Scenario = (number) =>
  new Writer(
    number,
    asked(number, {
      method: 'tools/call',
      name: 'weather__current',
      backend: 'weather',
      params: { arguments: { city: 'Lisbon' } },
    }),
  ).body(8, {
    ...complete('{"temperature":"21.50","unit":"celsius"}'),
    structuredContent: {
      temperature: '21.50',
      unit: 'celsius',
      readings: [
        { station: 'LIS-1', celsius: 21.5, at: '2026-11-29T12:00:00Z' },
        { station: 'LIS-2', celsius: 'about 22' },
      ],
      note: null,
    },
  })

export const discover: Scenario = (number) => {
  const out = new Writer(number, asked(number, { method: 'server/discover' }))
  out.add(0.5, { kind: 'call.routed', backend: null, operation: `op-${number}`, round: 1, edits: [] })
  const text = JSON.stringify({
    jsonrpc: '2.0',
    id: number,
    result: {
      resultType: 'complete',
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: {} },
      ttlMs: 0,
      cacheScope: 'private',
    },
  })
  out.commit(1, 'json', 'result')
  out.add(1.1, { kind: 'response.frame', form: 'body', message: 'result', raw: text, edits: [] })
  return out.end(1.3, 'result', 'gateway')
}

/** A tool whose results differ from what it says that it gives. */
const CURRENT_TOOL = JSON.stringify({
  name: 'weather__current',
  outputSchema: {
    type: 'object',
    properties: {
      temperature: { type: 'number' },
      unit: { enum: ['C', 'F'] },
      readings: {
        type: 'array',
        items: {
          type: 'object',
          properties: { station: { type: 'string' }, celsius: { type: 'number' }, at: { type: 'string' } },
          required: ['station', 'at'],
        },
      },
    },
    required: ['temperature', 'humidity'],
    additionalProperties: false,
  },
})

export const lists: Scenario = (number) => {
  const out = new Writer(number, asked(number, { method: 'tools/list' }))
  const backends = ['weather', 'booking', 'archive']
  out.add(0.4, { kind: 'call.routed', backend: null, backends, operation: `op-${number}`, round: 1, edits: [] })
  for (const [index, backend] of backends.entries()) {
    const exchange = number * 10 + index
    out.add(0.8 + index * 0.2, {
      kind: 'upstream.sent',
      exchange,
      backend,
      http: { method: 'POST', url: `http://127.0.0.1:800${index}/mcp`, headers: [['mcp-method', 'tools/list']] },
      body: `{"jsonrpc":"2.0","id":"s-${exchange}","method":"tools/list"}`,
    })
  }
  for (const [index] of backends.entries()) {
    const exchange = number * 10 + index
    out.add(4 + index * 3, { kind: 'upstream.head', exchange, status: 200, headers: JSON_HEAD })
    out.add(4.2 + index * 3, {
      kind: 'upstream.frame',
      exchange,
      form: 'body',
      raw: `{"jsonrpc":"2.0","id":"s-${exchange}","result":{"resultType":"complete","tools":[{"name":"forecast","inputSchema":{"type":"object"}}],"ttlMs":60000,"cacheScope":"private"}}`,
    })
    out.add(4.3 + index * 3, { kind: 'upstream.ended', exchange, reason: 'complete' })
  }
  out.commit(11.2, 'json', 'result')
  out.add(11.3, {
    kind: 'response.frame',
    form: 'body',
    message: 'result',
    raw: `{"jsonrpc":"2.0","id":${number},"result":{"resultType":"complete","tools":[{"name":"weather__forecast"},${CURRENT_TOOL},{"name":"booking__book_trip"}],"ttlMs":60000,"cacheScope":"private"}}`,
    edits: [],
  })
  return out.end(11.6, 'result', 'gateway')
}

export const refusedByBackend: Scenario = (number) => {
  const out = new Writer(
    number,
    asked(number, { method: 'resources/read', name: 'file:///etc/motd', backend: 'archive' }),
  )
  const error = { code: -32602, message: 'the account is closed', data: { account: 'A-17' } }
  const text = JSON.stringify({ error, jsonrpc: '2.0', id: `s-${number}` })
  out.head(7, 'json', 400)
  const from = out.add(7.2, { kind: 'upstream.frame', exchange: number, form: 'body', raw: text })
  out.closed(7.3)
  out.commit(7.5, 'json', 'error', 400)
  out.pass(7.6, text, from, 'body', 'error')
  return out.end(7.9, 'error', 'backend', error)
}

export const toolError: Scenario = (number) =>
  new Writer(
    number,
    asked(number, { method: 'tools/call', name: 'faults__tool_error', backend: 'faults', params: { arguments: {} } }),
  ).body(12, { ...complete('disk full'), isError: true }, 'tool-error')

export const cancelled: Scenario = (number) => {
  const out = new Writer(
    number,
    asked(number, {
      method: 'tools/call',
      name: 'weather__forecast',
      backend: 'weather',
      params: { arguments: { city: 'Lima' } },
      meta: { progressToken: 'tok-7' },
    }),
  )
  out.head(420, 'sse')
  for (const [index, ms] of [430, 800, 1250].entries()) {
    const text = progress(index + 1, 5, 'working')
    const from = out.event(ms, text)
    if (index === 0) out.commit(ms + 0.2, 'sse', 'notification')
    out.pass(ms + 0.4, text, from)
  }
  out.closed(1_502, 'cancelled', 'the client closed its connection')
  return out.end(1_503, 'cancelled', 'client')
}

export const dies: Scenario = (number) => {
  const out = new Writer(
    number,
    asked(number, {
      method: 'tools/call',
      name: 'faults__dies_mid_stream',
      backend: 'faults',
      params: { arguments: {} },
      meta: { progressToken: 'tok-7' },
    }),
  )
  out.head(60, 'sse')
  const up = out.event(64, progress(3, 5, 'going well'))
  out.commit(64.2, 'sse', 'notification')
  out.pass(64.4, progress(3, 5, 'going well'), up)
  const down = out.event(210, progress(2, 5, 'going back'))
  out.pass(210.3, progress(2, 5, 'going back'), down)
  out.closed(380, 'lost', 'the backend closed the connection in the middle of its stream')
  const error = { code: -32603, message: 'The backend "faults" closed its stream without an answer.' }
  out.add(380.5, {
    kind: 'response.frame',
    form: 'event',
    message: 'error',
    raw: JSON.stringify({
      jsonrpc: '2.0',
      id: number,
      error: { ...error, data: { backend: 'faults', reason: 'lost' } },
    }),
    edits: [],
  })
  return out.end(380.8, 'error', 'gateway', error)
}

export const hostile: Scenario = (number) => {
  const name = `weather__\u202egnp.exe\u200b<img src=x onerror=alert(1)>${'very_long_name_'.repeat(8)}`
  return new Writer(
    number,
    asked(number, {
      method: 'tools/call',
      name,
      backend: 'weather',
      params: { arguments: { note: 'a\u0007b\u202ec <script>alert(1)</script>' } },
    }),
  ).body(22, complete('\u001b[31mred\u001b[0m and \u2066isolated\u2069 — <b>not bold</b> https://example.com/'))
}

/** A result of some five megabytes. */
export const large: Scenario = (number) => {
  const rows = Array.from({ length: 42_000 }, (_, index) => ({
    station: `TOS-${index}`,
    at: 1_795_959_942 + index,
    celsius: -12.5,
    text: 'snow showers, wind from the north-west',
  }))
  return new Writer(
    number,
    asked(number, {
      method: 'tools/call',
      name: 'weather__history',
      backend: 'weather',
      params: { arguments: { years: 40 } },
    }),
  ).body(740, { ...complete('see structuredContent'), structuredContent: { rows } })
}

/** A call with ten thousand frames. */
export const busy: Scenario = (number) => {
  const out = new Writer(
    number,
    asked(number, {
      method: 'tools/call',
      name: 'weather__replay',
      backend: 'weather',
      params: { arguments: {} },
      meta: { progressToken: 'tok-7' },
    }),
  )
  out.head(3, 'sse')
  for (let index = 1; index <= 5_000; index++) {
    const ms = 5 + index * 4
    const text = progress(index, 5_000, `frame ${index}`)
    const from = out.event(ms, text)
    if (index === 1) out.commit(ms + 0.1, 'sse', 'notification')
    out.pass(ms + 0.2, text, from)
  }
  const result = JSON.stringify({ result: complete('done'), jsonrpc: '2.0', id: `s-${number}` })
  out.pass(20_100.2, result, out.event(20_100, result), 'event', 'result')
  out.closed(20_100.5)
  return out.end(20_101, 'result')
}

const sealed = (round: number, operation: string, inner: string | undefined): SealedState => ({
  version: 1,
  backend: 'booking',
  endpoint: '/mcp',
  method: 'tools/call',
  target: 'booking__book_trip',
  ...(inner === undefined ? {} : { inner }),
  paramsDigest: 'sha256-7f3ac1d09b4e55aa0c7d1f2e',
  callerDigest: null,
  operation,
  round,
  issuedAt: Math.floor(Date.now() / 1000) - 22,
  expiresAt: Math.floor(Date.now() / 1000) + 578,
})
const INNER =
  'v1.eyJwIjp7ImRlcGFydCI6IjIwMjctMDUtMDEiLCJuaWdodHMiOjMsInByaWNlIjozMTV9LCJleHAiOjE3OTU5NTk5NDJ9.dHPRFEGH-p6QZama_u_6QEFwuf8OwuOkjDHpAQBwjqQ'
const outer = (round: number) =>
  `eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIiwia2lkIjoiazEifQ..${'q7Xf-3'.repeat(90 + round * 6)}.Qk7w${round}`

function trip(number: number, round: number, operation: string, params: object): Writer {
  return new Writer(
    number,
    asked(number, {
      method: 'tools/call',
      name: 'booking__book_trip',
      backend: 'booking',
      operation,
      round,
      params: { arguments: { city: 'Kyoto' }, ...params },
    }),
  )
}

export const bookTrip: { round: number; scenario: (number: number, operation: string) => Step[] }[] = [
  {
    round: 1,
    scenario: (number, operation) => {
      const out = trip(number, 1, operation, {})
      out.add(30, { kind: 'state.sealed', outer: outer(1), kid: 'k-2026-11', sealed: sealed(1, operation, undefined) })
      return out.body(
        36,
        {
          resultType: 'input_required',
          inputRequests: {
            dates: {
              method: 'elicitation/create',
              params: {
                mode: 'form',
                message: 'When do you want to go to Kyoto?',
                requestedSchema: {
                  type: 'object',
                  properties: {
                    depart: { type: 'string', format: 'date', title: 'Departure' },
                    nights: { type: 'integer' },
                  },
                  required: ['depart', 'nights'],
                },
              },
            },
          },
          requestState: outer(1),
        },
        'input-required',
      )
    },
  },
  {
    round: 2,
    scenario: (number, operation) => {
      const out = trip(number, 2, operation, {
        requestState: outer(1),
        inputResponses: { dates: { action: 'accept', content: { depart: '2027-05-01', nights: 3 } } },
      })
      out.add(2, { kind: 'state.opened', outer: outer(1), kid: 'k-2026-11', sealed: sealed(1, operation, undefined) })
      out.add(33, { kind: 'state.sealed', outer: outer(2), kid: 'k-2026-11', sealed: sealed(2, operation, INNER) })
      return out.body(
        39,
        {
          resultType: 'input_required',
          inputRequests: {
            confirmation: {
              method: 'elicitation/create',
              params: {
                mode: 'form',
                message: '3 nights in Kyoto from 2027-05-01 cost 315 €.',
                requestedSchema: {
                  type: 'object',
                  properties: { confirm: { type: 'boolean' } },
                  required: ['confirm'],
                },
              },
            },
          },
          requestState: outer(2),
        },
        'input-required',
      )
    },
  },
  {
    round: 2,
    scenario: (number, operation) => {
      const out = new Writer(
        number,
        asked(number, {
          method: 'tools/call',
          name: 'booking__book_trip',
          params: { arguments: { city: 'Osaka' }, requestState: outer(2) },
        }),
      )
      out.add(0.8, { kind: 'call.routed', backend: null, operation, round: 2, edits: [] })
      out.add(1, {
        kind: 'state.refused',
        outer: outer(2),
        reason: 'request_mismatch',
        sealed: sealed(2, operation, INNER),
        differs: { field: 'params', sealed: 'sha256-7f3a…', now: 'sha256-02bc…' },
      })
      const error = { code: -32602, message: 'The request state belongs to another request.' }
      out.commit(1.4, 'json', 'error', 400)
      out.add(1.5, {
        kind: 'response.frame',
        form: 'body',
        message: 'error',
        raw: JSON.stringify({ jsonrpc: '2.0', id: number, error: { ...error, data: { reason: 'request_mismatch' } } }),
        edits: [],
      })
      return out.end(1.7, 'error', 'gateway', error)
    },
  },
  {
    round: 3,
    scenario: (number, operation) => {
      const out = trip(number, 3, operation, {
        requestState: outer(2),
        inputResponses: { confirmation: { action: 'accept', content: { confirm: true } } },
      })
      out.add(2, { kind: 'state.opened', outer: outer(2), kid: 'k-2026-11', sealed: sealed(2, operation, INNER) })
      return out.body(41, complete('Booked: 3 nights in Kyoto from 2027-05-01 for 315 €'))
    },
  },
]
