import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { PassThrough } from 'node:stream'
import { describe, expect, it, onTestFinished } from 'vitest'
import { META } from '../../shared/protocol/meta'
import { connectStdio, type ConnectOptions } from './connect-stdio'

interface Seen {
  method: string
  headers: IncomingHttpHeaders
  body: string
  response: ServerResponse
  /** The client side closed the connection before the answer was complete. */
  closed: Promise<void>
}

/** A gateway that does what the test says, and what it was sent. */
class ScriptedGateway {
  readonly seen: Seen[] = []
  url = new URL('http://127.0.0.1:1/mcp')
  readonly #waiting = new Set<() => void>()

  constructor(readonly handle: (seen: Seen) => void) {}

  async start(): Promise<this> {
    const server = createServer((request: IncomingMessage, response) => {
      const closed = new Promise<void>((resolve) => response.on('close', () => resolve()))
      let body = ''
      request.on('data', (chunk: Buffer) => (body += chunk.toString()))
      request.on('end', () => {
        const seen = { method: request.method ?? '', headers: request.headers, body, response, closed }
        this.seen.push(seen)
        this.handle(seen)
        for (const check of [...this.#waiting]) check()
      })
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    this.url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`)
    onTestFinished(() => {
      server.closeAllConnections()
      server.close()
    })
    return this
  }

  async until(condition: (seen: Seen) => boolean): Promise<Seen> {
    for (;;) {
      const found = this.seen.find(condition)
      if (found !== undefined) return found
      await new Promise<void>((resolve) => this.#waiting.add(resolve))
    }
  }
}

interface Client {
  input: PassThrough
  write(...lines: string[]): void
  /** The next line on stdout. */
  line(): Promise<string>
  lines: string[]
  told: string[]
  stop: AbortController
  ended: Promise<void>
}

function connectTo(url: URL, more: Partial<ConnectOptions> = {}): Client {
  const input = new PassThrough()
  const output = new PassThrough()
  const lines: string[] = []
  const told: string[] = []
  let taken = 0
  let wake: () => void = () => undefined
  let rest = ''
  output.on('data', (chunk: Buffer) => {
    const parts = (rest + chunk.toString()).split('\n')
    rest = parts.pop() ?? ''
    lines.push(...parts)
    wake()
  })
  const stop = new AbortController()
  const ended = connectStdio({
    input,
    output,
    url,
    version: '0',
    tell: (text) => told.push(text),
    signal: stop.signal,
    ...more,
  })
  onTestFinished(async () => {
    stop.abort()
    await ended
  })
  return {
    input,
    lines,
    told,
    stop,
    ended,
    write: (...texts) => void input.write(texts.map((text) => `${text}\n`).join('')),
    line: async () => {
      while (lines.length <= taken) await new Promise<void>((resolve) => (wake = resolve))
      return lines[taken++] ?? ''
    },
  }
}

const META_TEXT = `"_meta":{"${META.protocolVersion}":"2026-07-28","${META.clientCapabilities}":{}}`
const modern = (id: number | string, method: string, params = ''): string =>
  `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"method":"${method}","params":{${params}${params === '' ? '' : ','}${META_TEXT}}}`
const json = ({ response }: Seen, body: string, status = 200, headers: Record<string, string> = {}): void => {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body)
}
const events = ({ response }: Seen): ServerResponse => response.writeHead(200, { 'content-type': 'text/event-stream' })
const idOf = (body: string): string => /"id":("[^"]*"|\d+)/.exec(body)?.[1] ?? 'null'

describe('modern messages', () => {
  it('are POSTs of the same text, with the fields that mirror them', async () => {
    const gateway = await new ScriptedGateway((seen) => json(seen, '{"jsonrpc":"2.0","id":7,"result":{}}')).start()
    const client = connectTo(gateway.url)
    const text = `{"params":{"name":"grüß dich","arguments":{"n":1.0e2},${META_TEXT}} , "method":"tools/call","id":7,"jsonrpc":"2.0"}`
    client.write(text)
    await client.line()
    const [seen] = gateway.seen
    expect(seen?.body).toBe(text)
    expect(seen?.headers).toMatchObject({
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': '=?base64?Z3LDvMOfIGRpY2g=?=',
    })
    expect(seen?.headers).not.toHaveProperty('mcp-session-id')
  })

  it('of a gateway name the gateways that they came through, in both eras; of others nothing is believed', async () => {
    const gateway = await new ScriptedGateway((seen) => json(seen, '{"jsonrpc":"2.0","id":7,"result":{}}')).start()
    const came = `{"jsonrpc":"2.0","id":7,"method":"ping","params":{"_meta":{"dev.sluice/via":"1.1 outer (x)"}}}`
    const unfit = `{"jsonrpc":"2.0","id":7,"method":"ping","params":{"_meta":{"dev.sluice/via":"a\\r\\nb: c"}}}`
    const modernText = modern(7, 'tools/list').replace('"_meta":{', '"_meta":{"dev.sluice/via":"1.1 outer (x)",')
    const started = connectTo(gateway.url, { via: '1.1 inner (y)' })
    for (const text of [came, modernText, unfit]) {
      started.write(text)
      await started.line()
    }
    const byHand = connectTo(gateway.url)
    byHand.write(came)
    await byHand.line()
    const both = '1.1 outer (x), 1.1 inner (y)'
    expect(gateway.seen.map(({ headers }) => headers.via)).toEqual([both, both, '1.1 inner (y)', undefined])
  })

  it('mirror annotated arguments of tools that were listed, and no others', async () => {
    const schema = {
      type: 'object',
      properties: {
        region: { type: 'string', 'x-mcp-header': 'Region' },
        at: { type: 'object', properties: { n: { type: 'integer', 'x-mcp-header': 'N' } } },
        none: { type: 'string', 'x-mcp-header': 'None' },
        plain: { type: 'string' },
      },
    }
    const tools = JSON.stringify([{ name: 't', inputSchema: schema }])
    const gateway = await new ScriptedGateway((seen) =>
      json(seen, `{"jsonrpc":"2.0","id":${idOf(seen.body)},"result":{"tools":${tools}}}`),
    ).start()
    const client = connectTo(gateway.url)
    const call = (id: number): string =>
      modern(id, 'tools/call', '"name":"t","arguments":{"region":" ö","at":{"n":-5},"none":null,"plain":"x"}')
    client.write(call(1))
    await client.line()
    client.write(modern(2, 'tools/list'))
    await client.line()
    client.write(call(3))
    await client.line()
    const fields = gateway.seen.map(({ headers }) =>
      Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('mcp-param-'))),
    )
    expect(fields).toEqual([{}, {}, { 'mcp-param-region': '=?base64?IMO2?=', 'mcp-param-n': '-5' }])
  })

  it('get every frame of their stream as a line, as it is and in order, several at once', async () => {
    const gateway = await new ScriptedGateway((seen) => events(seen).write(': ping\n\n')).start()
    const client = connectTo(gateway.url)
    client.write(modern('a', 'tools/call', '"name":"x"'), modern('b', 'tools/call', '"name":"y"'))
    const a = await gateway.until(({ body }) => body.includes('"id":"a"'))
    const b = await gateway.until(({ body }) => body.includes('"id":"b"'))
    const note = (n: number): string =>
      `{"jsonrpc": "2.0","method":"notifications/progress","params":{"progress":${n}.0}}`
    a.response.write(`data: ${note(1)}\n\n`)
    expect(await client.line()).toBe(note(1))
    b.response.end('data: {"jsonrpc":"2.0","id":"b",\ndata: "result":{}}\n\n')
    expect(await client.line()).toBe('{"jsonrpc":"2.0","id":"b", "result":{}}')
    a.response.end(`data: ${note(2)}\n\ndata: {"jsonrpc":"2.0","id":"a","result":{"n":1e400}}\n\n`)
    expect(await client.line()).toBe(note(2))
    expect(await client.line()).toBe('{"jsonrpc":"2.0","id":"a","result":{"n":1e400}}')
  })

  it('are cancelled by closing their POST, and not answered after that', async () => {
    const gateway = await new ScriptedGateway(events).start()
    const client = connectTo(gateway.url)
    client.write(modern(12, 'tools/call', '"name":"x"'), modern(13, 'tools/call', '"name":"y"'))
    const first = await gateway.until(({ body }) => body.includes('"id":12'))
    const second = await gateway.until(({ body }) => body.includes('"id":13'))
    client.write('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":12}}')
    await first.closed
    second.response.end('data: {"jsonrpc":"2.0","id":13,"result":{}}\n\n')
    expect(await client.line()).toContain('"id":13')
    client.input.end()
    await client.ended
    expect(client.lines).toHaveLength(1)
    expect(gateway.seen).toHaveLength(2)
  })

  it.each<[what: string, answer: (seen: Seen) => void, words: string]>([
    [
      'a stream that breaks',
      (seen) => void events(seen).write(': x\n\n', () => seen.response.destroy()),
      'closed the connection',
    ],
    [
      'a stream that ends without it',
      (seen) => void events(seen).end(': x\n\n'),
      'HTTP status 200 and without an answer',
    ],
    [
      'a server that is no gateway',
      ({ response }) => void response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad\nGateway</h1>'),
      'HTTP status 502 and without an answer: <h1>Bad Gateway</h1>',
    ],
  ])('get an error under their id after %s', async (_what, answer, words) => {
    const gateway = await new ScriptedGateway(answer).start()
    const client = connectTo(gateway.url)
    client.write(modern(1, 'ping').replace(/"id":1/, '"id":90071992547409931234'))
    const line = await client.line()
    expect(line).toContain('"id":90071992547409931234')
    expect((JSON.parse(line) as { error: { message: string } }).error.message).toContain(words)
  })

  it('get the error of an answer without an id under their own id', async () => {
    const error = '{"code":-32600, "message":"no", "data":1.50}'
    const gateway = await new ScriptedGateway((seen) =>
      json(seen, `{"jsonrpc":"2.0","id":null,"error":${error}}`, 400),
    ).start()
    const client = connectTo(gateway.url)
    client.write(modern('x', 'ping'))
    expect(await client.line()).toBe(`{"jsonrpc":"2.0","id":"x","error":${error}}`)
  })
})

describe('a gateway that is not there', () => {
  it('is named, with what to do', async () => {
    const client = connectTo(new URL('http://127.0.0.1:1/mcp'))
    client.write(modern(1, 'ping'), '{"jsonrpc":"2.0","id":2,"method":"initialize","params":{}}')
    const messages = [await client.line(), await client.line()].map(
      (line) => (JSON.parse(line) as { error: { message: string } }).error.message,
    )
    for (const message of messages)
      expect(message).toMatch(/^no gateway at http:\/\/127\.0\.0\.1:1\/mcp \(.*\); start it with: sluice serve$/)
  })

  it('is made by whoever can, once for several messages, and they are sent again', async () => {
    const gateway = await new ScriptedGateway((seen) =>
      json(seen, `{"jsonrpc":"2.0","id":${idOf(seen.body)},"result":{}}`),
    ).start()
    let made = 0
    const client = connectTo(new URL('http://127.0.0.1:1/mcp'), {
      recover: () => Promise.resolve({ url: made++ === 0 ? gateway.url : new URL('http://127.0.0.1:1/mcp') }),
    })
    client.write(modern(1, 'ping'), modern(2, 'ping'))
    const lines = [await client.line(), await client.line()].sort()
    expect(lines).toEqual(['{"jsonrpc":"2.0","id":1,"result":{}}', '{"jsonrpc":"2.0","id":2,"result":{}}'])
    expect(made).toBe(1)
  })

  it('is looked for again when it stops', async () => {
    const stopping = await new ScriptedGateway((seen) => json(seen, '{"jsonrpc":"2.0","id":1,"error":{}}', 503)).start()
    const gateway = await new ScriptedGateway((seen) => json(seen, '{"jsonrpc":"2.0","id":1,"result":{}}')).start()
    const client = connectTo(stopping.url, { recover: () => Promise.resolve({ url: gateway.url }) })
    client.write(modern(1, 'ping'))
    expect(await client.line()).toBe('{"jsonrpc":"2.0","id":1,"result":{}}')
  })

  it('that cannot be made is said with the reason', async () => {
    const client = connectTo(new URL('http://127.0.0.1:1/mcp'), {
      recover: () => Promise.resolve({ problem: 'no file' }),
    })
    client.write(modern(1, 'ping'))
    expect(await client.line()).toContain('no gateway at http://127.0.0.1:1/mcp, and none could be started: no file')
  })
})

/** Answers like a gateway with sessions; `more` sees what is left. */
function withSession(more: (seen: Seen) => void): (seen: Seen) => void {
  return (seen) => {
    if (seen.body.includes('"initialize"'))
      json(seen, '{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-06-18"}}', 200, { 'mcp-session-id': 's1' })
    else if (seen.method === 'POST' && !/"id":/.test(seen.body)) seen.response.writeHead(202).end()
    else if (seen.method === 'DELETE') seen.response.writeHead(200).end()
    else more(seen)
  }
}
const INITIALIZE = '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18"}}'
const INITIALIZED = '{"jsonrpc":"2.0","method":"notifications/initialized"}'

describe('legacy messages', () => {
  it('go into one session, in order, and end it', async () => {
    const gateway = await new ScriptedGateway(
      withSession((seen) => {
        if (seen.method === 'GET') events(seen).write(': open\n\n')
        else json(seen, `{"jsonrpc":"2.0","id":${idOf(seen.body)},"result":{}}`)
      }),
    ).start()
    const client = connectTo(gateway.url)
    client.write(INITIALIZE, INITIALIZED, '{"jsonrpc":"2.0","id":1,"method":"tools/list"}')
    expect(await client.line()).toContain('2025-06-18')
    expect(await client.line()).toBe('{"jsonrpc":"2.0","id":1,"result":{}}')
    const stream = await gateway.until(({ method }) => method === 'GET')
    stream.response.write('data: {"jsonrpc":"2.0","id":"r1","method":"roots/list"}\n\n')
    expect(await client.line()).toBe('{"jsonrpc":"2.0","id":"r1","method":"roots/list"}')
    const answer = '{"jsonrpc":"2.0","id":"r1","result":{"roots":[]}}'
    client.write(answer)
    await gateway.until(({ body }) => body === answer)
    client.input.end()
    await client.ended
    const [begin, ...within] = gateway.seen
    expect(begin?.headers).not.toHaveProperty('mcp-session-id')
    expect(within.map(({ method }) => method).sort()).toEqual(['DELETE', 'GET', 'POST', 'POST', 'POST'])
    expect(within[0]?.body).toBe(INITIALIZED)
    for (const { headers } of within)
      expect(headers).toMatchObject({ 'mcp-session-id': 's1', 'mcp-protocol-version': '2025-06-18' })
    for (const { headers } of within) expect(headers).not.toHaveProperty('mcp-method')
  })

  it('have their streams taken up again where they broke', async () => {
    let gets = 0
    const gateway = await new ScriptedGateway(
      withSession((seen) => {
        if (seen.method === 'POST') {
          events(seen).write('id: p1\nretry: 1\ndata: \n\n', () => seen.response.destroy())
        } else if (seen.headers['last-event-id'] === 'p1') {
          events(seen).end('id: p2\ndata: {"jsonrpc":"2.0","id":1,"result":{"late":true}}\n\n')
        } else if (gets++ === 0) {
          events(seen).end('id: g1\nretry: 1\ndata: {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\n\n')
        } else events(seen).write(': open\n\n')
      }),
    ).start()
    const client = connectTo(gateway.url)
    client.write(INITIALIZE, INITIALIZED)
    await client.line()
    expect(await client.line()).toContain('list_changed')
    await gateway.until(({ method, headers }) => method === 'GET' && headers['last-event-id'] === 'g1')
    client.write('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x"}}')
    expect(await client.line()).toBe('{"jsonrpc":"2.0","id":1,"result":{"late":true}}')
  })

  it('of a session that is lost get a clear error', async () => {
    const lost = '{"jsonrpc":"2.0","id":null,"error":{"code":-32001,"message":"Session not found"}}'
    const gateway = await new ScriptedGateway(
      withSession((seen) => (seen.method === 'GET' ? seen.response.writeHead(405).end() : json(seen, lost, 404))),
    ).start()
    const client = connectTo(gateway.url)
    client.write(INITIALIZE, INITIALIZED, '{"jsonrpc":"2.0","id":1,"method":"tools/list"}')
    await client.line()
    const { id, error } = JSON.parse(await client.line()) as { id: number; error: { message: string; data: object } }
    expect(id).toBe(1)
    expect(error.message).toContain('no longer knows this session')
    expect(error.data).toEqual({ reason: 'session-lost' })
  })

  it('are cancelled by a notification, and not answered after that', async () => {
    const gateway = await new ScriptedGateway(
      withSession((seen) => (seen.method === 'GET' ? seen.response.writeHead(405).end() : events(seen).flushHeaders())),
    ).start()
    const client = connectTo(gateway.url)
    client.write(INITIALIZE, INITIALIZED, '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x"}}')
    await client.line()
    const call = await gateway.until(({ body }) => body.includes('tools/call'))
    const cancel = '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}'
    client.write(cancel)
    await gateway.until(({ body }) => body === cancel)
    call.response.end()
    client.input.end()
    await client.ended
    expect(client.lines).toHaveLength(1)
  })
})

describe('the end of the input', () => {
  it('waits for what is in flight, but not for subscriptions', async () => {
    const gateway = await new ScriptedGateway(events).start()
    const client = connectTo(gateway.url)
    client.write(modern(1, 'subscriptions/listen'), modern(2, 'tools/call', '"name":"x"'))
    const listen = await gateway.until(({ body }) => body.includes('listen'))
    const call = await gateway.until(({ body }) => body.includes('tools/call'))
    client.input.end()
    call.response.end('data: {"jsonrpc":"2.0","id":2,"result":{}}\n\n')
    await client.ended
    await listen.closed
    expect(client.lines).toEqual(['{"jsonrpc":"2.0","id":2,"result":{}}'])
  })

  it('does not wait for ever', async () => {
    const gateway = await new ScriptedGateway(events).start()
    const client = connectTo(gateway.url, { finishMs: 20 })
    client.write(modern(2, 'tools/call', '"name":"x"'))
    const call = await gateway.until(({ body }) => body.includes('tools/call'))
    client.input.end()
    await client.ended
    await call.closed
    expect(client.lines).toEqual([])
  })
})

describe('lines that are no messages', () => {
  it('are told on stderr, and answered where they have an id', async () => {
    const client = connectTo(new URL('http://127.0.0.1:1/mcp'))
    client.write('hello', '{"id":5}', '[]', '')
    expect(JSON.parse(await client.line())).toMatchObject({ id: 5, error: { code: -32600 } })
    client.input.end()
    await client.ended
    expect(client.lines).toHaveLength(1)
    expect(client.told).toHaveLength(3)
  })
})
