import { describe, expect, it } from 'vitest'
import { call, modernRequest, post } from '../peers/raw-client'
import { serve } from '../peers/scripted-server'
import type { StubHandler } from '../peers/stub-backend'
import { startBackend, startGateway } from './running-gateway'

/** Spelling that a parse and print would change: numbers, order, duplicates, escapes, white space, unknown members. */
const ODD =
  '{ "z":1.0, "a" : 12345678901234567890 ,"exp":1E+2,"neg":-0.0,"dup":1,"dup":2,\t"esc":"\\u00e9\\/\\ud83d\\ude00","2":2,"1":1,"__proto__":{"x":1},"deep":[[ ]],"empty":{} }'

/** Everything after the id, with the id at every place it may have. */
const BODIES: [name: string, make: (id: string) => string, client: (id: string) => string][] = [
  [
    'id first',
    (id) => `{"id":${id},"jsonrpc":"2.0","result":{"resultType":"complete","content":[],"structuredContent":${ODD}}}`,
    (id) => id,
  ],
  [
    'id last',
    (id) => `{"result":{"resultType":"complete","content":[],"structuredContent":${ODD}},"jsonrpc":"2.0","id":${id}}`,
    (id) => id,
  ],
  [
    'white space everywhere',
    (id) => `  {\r\n "jsonrpc" : "2.0" ,\n "id"\t:\t${id} , "result" : { "resultType":"complete", "x" : ${ODD} } \n } `,
    (id) => id,
  ],
  [
    'unknown members',
    (id) => `{"jsonrpc":"2.0","more":${ODD},"id":${id},"result":{"resultType":"complete","_meta":${ODD},"content":[]}}`,
    (id) => id,
  ],
  [
    'an id inside the result',
    (id) => `{"jsonrpc":"2.0","result":{"id":${id},"resultType":"complete","q":"\\"id\\":1"},"id":${id}}`,
    (id) => id,
  ],
]

/** The id as the backend saw it, raw. */
const rawId = (body: string): string => /"id":("[^"]*"|-?\d+)/.exec(body)?.[1] ?? ''

describe('results arrive byte for byte, but for the id', () => {
  for (const [name, make] of BODIES) {
    for (const id of ['7', '"client id"']) {
      it(`${name}, client id ${id}, as JSON and as event`, async () => {
        const scripts: StubHandler[] = [
          (request, reply) =>
            reply.json(
              200,
              make(rawId(request.body)).replace(`{"id":${rawId(request.body)},"resultType"`, '{"id":1,"resultType"'),
            ),
          async (request, reply) => {
            const stream = reply.sse()
            const body = make(rawId(request.body)).replace(
              `{"id":${rawId(request.body)},"resultType"`,
              '{"id":1,"resultType"',
            )
            await stream.raw(
              `${body
                .split(/\r\n|\n/)
                .map((line) => `data: ${line}\n`)
                .join('')}\n`,
            )
            stream.end()
          },
        ]
        for (const script of scripts) {
          const backend = await startBackend(serve({ tools: { t: { call: script } } }))
          const { one } = await startGateway({ b: backend })
          const request = modernRequest('tools/call', { name: 't', arguments: {} }, { id: 'placeholder' })
          const answer = await post(one(), request.body.replace('"placeholder"', id), request.headers)
          const expected = make(id).replace(`{"id":${id},"resultType"`, '{"id":1,"resultType"')
          // In an event the line ends of the text are the framing's own.
          expect((await answer.text()).replaceAll('\r\n', '\n')).toBe(expected.replaceAll('\r\n', '\n'))
        }
      })
    }
  }

  it('notifications arrive byte for byte', async () => {
    const notification = `{"params":{"progressToken":"tok","progress":1.0,"total":1e2,"x":${ODD}},"method":"notifications/progress","jsonrpc":"2.0"}`
    const backend = await startBackend(
      serve({
        tools: {
          t: {
            call: async (request, reply) => {
              const stream = reply.sse()
              await stream.raw(`data: ${notification}\n\n`)
              stream.event({ jsonrpc: '2.0', id: request.id, result: { resultType: 'complete', content: [] } })
              stream.end()
            },
          },
        },
      }),
    )
    const { one, all } = await startGateway({ b: backend })
    for (const [url, name] of [
      [one(), 't'],
      [all, 'b__t'],
    ] as const) {
      const answer = await call(url, 'tools/call', { name, arguments: {} }, { progressToken: 'tok' })
      expect((await answer.frames())[0]?.data).toBe(notification)
    }
  })

  it('errors arrive byte for byte', async () => {
    const backend = await startBackend(
      serve({
        tools: {
          t: {
            call: (request, reply) =>
              reply.json(
                200,
                `{"error":{"data":${ODD},"message":"m","code":-32602},"id":${rawId(request.body)},"jsonrpc":"2.0"}`,
              ),
          },
        },
      }),
    )
    const { one } = await startGateway({ b: backend })
    const answer = await call(one(), 'tools/call', { name: 't', arguments: {} }, { id: 5 })
    expect(await answer.text()).toBe(`{"error":{"data":${ODD},"message":"m","code":-32602},"id":5,"jsonrpc":"2.0"}`)
  })
})

describe('requests leave byte for byte, but for the id and the routed name', () => {
  const meta =
    '"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"vendor.example/x":{"a":1.0},"traceparent":"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"}'
  const body = (id: string, name: string): string =>
    ` { "method":"tools/call","params":{"arguments":${ODD}, "name" : "${name}","extra":[1.0],${meta}} ,"unknown":${ODD},"id":${id},"jsonrpc":"2.0" }\n`

  it('on both endpoints', async () => {
    const backend = await startBackend(serve({ tools: { t: { call: (_, reply) => reply.result({ content: [] }) } } }))
    const { one, all, tap } = await startGateway({ b: backend })
    for (const [url, name] of [
      [one(), 't'],
      [all, 'b__t'],
    ] as const) {
      const { headers } = modernRequest('tools/call', { name })
      const answer = await post(url, body('"abc"', name), headers)
      expect(answer.status).toBe(200)
      const received = backend.of('tools/call').at(-1)
      const id = JSON.stringify(received?.id)
      expect(received?.body).toBe(body(id, 't'))
      expect(received?.headers['mcp-name']).toBe('t')
      expect(received?.headers['content-length']).toBe(String(Buffer.byteLength(body(id, 't'))))
      const edits = tap
        .of('call.routed')
        .at(-1)
        ?.edits.map((edit) => edit.what)
        .filter((what) => what !== 'header')
      expect(edits?.sort()).toEqual(name === 't' ? ['id'] : ['id', 'name'])
    }
  })

  it('an escaped spelling of the name and a second member of the same name do not split the gateway from the backend', async () => {
    const backend = await startBackend(
      serve({
        tools: {
          t: { call: (_, reply) => reply.result({ content: [] }) },
          u: { call: (_, reply) => reply.result({ content: [] }) },
        },
      }),
    )
    const { all } = await startGateway({ b: backend })
    const { headers } = modernRequest('tools/call', { name: 'b__t' })
    const escaped = body('1', 'b__t').replace('"b__t"', '"\\u0062__t"')
    expect((await post(all, escaped, headers)).status).toBe(200)
    expect(backend.of('tools/call').at(-1)?.name).toBe('t')
    const twice = body('2', 'b__u').replace('"name" : "b__u"', '"name":"b__u","name":"b__t"')
    const answer = await post(all, twice, headers)
    if (answer.status === 200) {
      const received = backend.of('tools/call').at(-1)
      expect(received?.headers['mcp-name']).toBe('t')
      expect(received?.body).not.toContain('b__')
    }
  })

  it('line ends and separators inside texts arrive as they were', async () => {
    const backend = await startBackend(serve({ tools: { t: { call: (_, reply) => reply.result({ content: [] }) } } }))
    const { one } = await startGateway({ b: backend })
    const { body: plain, headers } = modernRequest('tools/call', { name: 't', arguments: { text: 'a\u2028b\r\n😀' } })
    expect((await post(one(), plain, headers)).status).toBe(200)
    expect(backend.of('tools/call').at(-1)?.params.arguments).toEqual({ text: 'a\u2028b\r\n😀' })
  })
})

describe('header fields', () => {
  const tools = {
    t: { call: ((_, reply) => reply.result({ content: [] })) as StubHandler },
    'Grüße, Welt': { call: ((_, reply) => reply.result({ content: [] })) as StubHandler },
    region: {
      descriptor: {
        inputSchema: { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } },
      },
      call: ((request, reply) =>
        request.headers['mcp-param-region'] === 'eu'
          ? reply.result({ content: [] })
          : reply.error(400, { code: -32020, message: 'Header mismatch: Mcp-Param-Region' })) as StubHandler,
    },
  }

  it('Mcp-Name upstream equals the upstream name, with the sentinel where it needs one', async () => {
    const backend = await startBackend(serve({ tools }))
    const { all } = await startGateway({ b: backend })
    expect((await call(all, 'tools/call', { name: 'b__Grüße, Welt', arguments: {} })).status).toBe(200)
    const received = backend.of('tools/call').at(-1)
    expect(received?.name).toBe('Grüße, Welt')
    expect(received?.headers['mcp-name']).toBe(`=?base64?${Buffer.from('Grüße, Welt').toString('base64')}?=`)
    expect(received?.headers['mcp-method']).toBe('tools/call')
    expect(received?.headers['mcp-protocol-version']).toBe('2026-07-28')
  })

  it('Mcp-Param-* passes untouched, known or not, and a tool with x-mcp-header works', async () => {
    const backend = await startBackend(serve({ tools }))
    const { one, all } = await startGateway({ b: backend })
    const headers = { 'Mcp-Param-Region': 'eu', 'Mcp-Param-Unknown': '=?base64?w6k=?=' }
    for (const [url, name] of [
      [one(), 'region'],
      [all, 'b__region'],
    ] as const) {
      const answer = await call(url, 'tools/call', { name, arguments: { region: 'eu' } }, { headers })
      expect(answer.status).toBe(200)
      expect(backend.of('tools/call').at(-1)?.headers).toMatchObject({
        'mcp-param-region': 'eu',
        'mcp-param-unknown': '=?base64?w6k=?=',
      })
      const refused = await call(url, 'tools/call', { name, arguments: { region: 'eu' } })
      expect(refused.status).toBe(400)
      expect(await refused.json()).toMatchObject({ error: { code: -32020 } })
    }
  })

  it('passes no field of the client by itself, and those of passHeaders by name', async () => {
    const strict = await startBackend(serve({ tools }))
    const open = await startBackend(serve({ tools }))
    const { one } = await startGateway({
      strict,
      open: {
        url: open.url,
        passHeaders: ['Authorization', 'x-team'],
        headers: { 'X-Own': 'v' },
      },
    })
    const secrets = {
      authorization: 'Bearer secret',
      cookie: 'a=b',
      'x-team': 'red',
      'x-other': '1',
      'proxy-authorization': 'x',
      traceparent: 't',
      'x-forwarded-for': '1.2.3.4',
    }
    for (const name of ['strict', 'open']) {
      expect((await call(one(name), 'tools/call', { name: 't', arguments: {} }, { headers: secrets })).status).toBe(200)
    }
    const received = strict.of('tools/call').at(-1)?.headers ?? {}
    for (const name of Object.keys(secrets)) expect(received[name], name).toBeUndefined()
    expect(received.host).toBe(new URL(strict.url).host)
    const passed = open.of('tools/call').at(-1)?.headers ?? {}
    expect(passed).toMatchObject({
      authorization: 'Bearer secret',
      'x-team': 'red',
      'x-own': 'v',
    })
    expect(passed['x-other']).toBeUndefined()
    expect(passed.cookie).toBeUndefined()
  })

  it('never mints, echoes or forwards a session id', async () => {
    const backend = await startBackend(
      serve({
        tools: {
          t: {
            call: (request, reply) =>
              reply.json(
                200,
                { jsonrpc: '2.0', id: request.id, result: { resultType: 'complete', content: [] } },
                { 'mcp-session-id': 's1' },
              ),
          },
        },
      }),
    )
    const { one } = await startGateway({ b: backend })
    const answer = await call(
      one(),
      'tools/call',
      { name: 't', arguments: {} },
      { headers: { 'mcp-session-id': 'from-client' } },
    )
    expect(answer.headers['mcp-session-id']).toBeUndefined()
    expect(backend.of('tools/call')[0]?.headers['mcp-session-id']).toBeUndefined()
  })
})
