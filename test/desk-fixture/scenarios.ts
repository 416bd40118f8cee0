import { asked, complete, JSON_HEAD, log, progress, Writer, type Scenario } from './modern-script'

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
