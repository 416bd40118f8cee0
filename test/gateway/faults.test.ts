import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/shared/protocol/json-rpc'
import { call, type Answer } from '../peers/raw-client'
import { serve, text } from '../peers/scripted-server'
import type { StubHandler, StubRequest } from '../peers/stub-backend'
import { gate, startBackend, startGateway, type Running } from './running-gateway'

const params = { name: 't', arguments: {} }
const running = async (script: StubHandler, settings: Record<string, unknown> = {}): Promise<Running> =>
  startGateway({ weather: await startBackend(serve({ tools: { t: { call: script } } })) }, settings)
const progress = { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 1, progress: 1 } }
const resultText = (request: StubRequest): string =>
  JSON.stringify({ jsonrpc: '2.0', id: request.id, result: { resultType: 'complete', ...text('done') } })

/** The error of an answer that has no backend to blame its words on: -32603 with the backend's name and the reason. */
async function gatewayError(answer: Answer): Promise<{ code: number; message: string; data: JsonObject }> {
  const message = await answer.answer()
  expect(message.id).toBe('c')
  const error = message.error as { code: number; message: string; data: JsonObject }
  expect(error).toMatchObject({ code: -32603, data: { backend: 'weather', reason: expect.any(String) as string } })
  return error
}

describe('what is no JSON-RPC answer becomes -32603 at status 200, with the backend, the reason and its status', () => {
  const cases: [name: string, script: StubHandler, status?: number][] = [
    ['a 502 page', (_, reply) => reply.page(502, 'text/html', '<html>Bad Gateway</html>'), 502],
    ['a 500 without a body', (_, reply) => void reply.response.writeHead(500).end(), 500],
    ['a 404 of plain text', (_, reply) => reply.page(404, 'text/plain', 'not here'), 404],
    ['a 401', (_, reply) => void reply.response.writeHead(401, { 'www-authenticate': 'Bearer' }).end(), 401],
    [
      'a redirect, which is not followed',
      (_, reply) => void reply.response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end(),
      307,
    ],
    ['an HTML page with 200', (_, reply) => reply.page(200, 'text/html', '<html>hello</html>'), 200],
    ['no body with 200', (_, reply) => void reply.response.writeHead(200).end(), 200],
    ['202 to a request', (_, reply) => void reply.response.writeHead(202).end(), 202],
    ['204', (_, reply) => void reply.response.writeHead(204).end(), 204],
    ['JSON that is no JSON-RPC', (_, reply) => reply.json(200, { hello: 'world' })],
    ['JSON of an array', (_, reply) => reply.json(200, [])],
    ['a notification as the body', (_, reply) => reply.json(200, progress)],
    ['half a JSON body', (_, reply) => reply.json(200, '{"jsonrpc":"2.0","id":1,"result":{')],
    [
      'the answer to another id',
      (_, reply) => reply.json(200, { jsonrpc: '2.0', id: 'other', result: { resultType: 'complete' } }),
    ],
    ['neither result nor error', (request, reply) => reply.json(200, { jsonrpc: '2.0', id: request.id })],
    ['an event stream without any event', (_, reply) => reply.sse().end()],
    [
      'an event stream that ends after a comment',
      (_, reply) => {
        const stream = reply.sse()
        stream.comment('bye')
        stream.end()
      },
    ],
    [
      'an event stream of garbage',
      (_, reply) => {
        const stream = reply.sse()
        stream.event('this is no JSON')
        stream.end()
      },
    ],
    ['a reset before the head', (_, reply) => reply.reset()],
    [
      'a reset in the middle of a JSON body',
      (_, reply) => {
        reply.response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
        reply.response.write('{"jsonrpc"', () => reply.socket.resetAndDestroy())
      },
    ],
    [
      'a JSON body shorter than its content-length',
      (request, reply) => {
        const body = resultText(request)
        reply.socket.end(
          `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length + 10}\r\n\r\n${body}`,
        )
      },
    ],
    [
      'a compressed body although only identity was accepted',
      (request, reply) => {
        reply.response
          .writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
          .end(gzipSync(resultText(request)))
      },
    ],
    ['what is no HTTP', (_, reply) => void reply.socket.end('+OK this is POP3\r\n')],
    ['a closed connection instead of an answer', (_, reply) => void reply.socket.end()],
  ]
  for (const [name, script, status] of cases) {
    it(name, async () => {
      const { one, tap } = await running(script)
      const answer = await call(one(), 'tools/call', params, { id: 'c' })
      expect(answer.status).toBe(200)
      expect(answer.headers['content-type']).toBe('application/json')
      const error = await gatewayError(answer)
      expect(error.message).toContain('weather')
      if (status !== undefined && status !== 200) expect(error.data.status).toBe(status)
      expect(await tap.until('call.ended')).toMatchObject([{ outcome: 'error' }])
      expect(await tap.until('upstream.ended')).not.toHaveLength(0)
    })
  }

  it('a backend that refuses connections, and its endpoint goes on', async () => {
    const backend = await startBackend(serve({}))
    const url = backend.url
    await backend.close()
    const { one } = await startGateway({ weather: { url } })
    const before = performance.now()
    const error = await gatewayError(await call(one(), 'tools/call', params, { id: 'c' }))
    expect(error.message).toMatch(/refused|ECONNREFUSED/)
    expect(performance.now() - before).toBeLessThan(2_000)
    expect((await call(one(), 'tools/call', params, { id: 'c' })).status).toBe(200)
  })

  it('a backend comes back without a restart of the gateway', async () => {
    let dead = true
    const { one } = await running((request, reply) => (dead ? reply.reset() : reply.json(200, resultText(request))))
    await gatewayError(await call(one(), 'tools/call', params, { id: 'c' }))
    dead = false
    expect(await (await call(one(), 'tools/call', params)).json()).toMatchObject({ result: text('done') })
  })
})

describe('a backend that fails after the commit leaves an error as the last frame', () => {
  const cases: [
    name: string,
    end: (
      request: StubRequest,
      reply: Parameters<StubHandler>[1],
      stream: ReturnType<Parameters<StubHandler>[1]['sse']>,
    ) => void,
  ][] = [
    ['the stream ends without a result', (_, __, stream) => stream.end()],
    ['the connection is reset', (_, __, stream) => stream.destroy()],
    [
      'the stream ends inside an event',
      (_, __, stream) => void stream.raw('data: {"jsonrpc":"2.0",').then(() => stream.end()),
    ],
    [
      'the connection is reset inside an event',
      (_, __, stream) => void stream.raw('data: {"jsonrpc":"2.0",').then(() => stream.destroy()),
    ],
    [
      'garbage comes, then the end',
      (_, __, stream) => {
        stream.event('<garbage>')
        stream.end()
      },
    ],
    ['broken chunk framing', (_, reply) => void reply.socket.write('zz\r\nno chunk\r\n')],
  ]
  for (const [name, end] of cases) {
    it(name, async () => {
      const committed = gate()
      const { one } = await running(async (request, reply) => {
        const stream = reply.sse()
        stream.event(progress)
        await committed.opened
        end(request, reply, stream)
      })
      const answer = await call(one(), 'tools/call', params, { id: 'c', progressToken: 1 })
      expect(JSON.parse((await answer.nextFrame())?.data ?? '')).toEqual(progress)
      committed.open()
      await gatewayError(answer)
      expect(await answer.text()).toMatch(/\n\n$/)
    })
  }

  it('a dead backend after the window, too', async () => {
    const committed = gate()
    const { one } = await running(
      async (_, reply) => {
        await committed.opened
        reply.reset()
      },
      { deferralWindowMs: 20 },
    )
    const answer = await call(one(), 'tools/call', params, { id: 'c' })
    expect(answer.headers['content-type']).toBe('text/event-stream')
    committed.open()
    await gatewayError(answer)
  })
})

describe('odd but readable answers', () => {
  const readable: [name: string, script: StubHandler, messages: number][] = [
    [
      'an unframed error at the end of an event stream',
      async (request, reply) => {
        const stream = reply.sse()
        stream.event(progress)
        await stream.raw(
          `{"jsonrpc":"2.0","id":${JSON.stringify(request.id)},"error":{"code":-32602,"message":"done","data":1}}`,
        )
        stream.end()
      },
      2,
    ],
    [
      'an unframed error with a line end',
      async (request, reply) => {
        const stream = reply.sse()
        stream.event(progress)
        await stream.raw(
          `{"jsonrpc":"2.0","id":${JSON.stringify(request.id)},"error":{"code":-32602,"message":"done"}}\n`,
        )
        stream.end()
      },
      2,
    ],
    [
      'garbage between two events',
      (request, reply) => {
        const stream = reply.sse()
        stream.event(progress)
        stream.event('{nonsense')
        stream.event(resultText(request))
        stream.end()
      },
      2,
    ],
    [
      'a result without a closing blank line',
      async (request, reply) => {
        const stream = reply.sse()
        stream.event(progress)
        await stream.raw(`data: ${resultText(request)}\n`)
        stream.end()
      },
      2,
    ],
    [
      'a result after which the stream stays open',
      (request, reply) => {
        const stream = reply.sse()
        stream.event(progress)
        stream.event(resultText(request))
      },
      2,
    ],
    [
      'a result after which the connection is reset',
      async (request, reply) => {
        const stream = reply.sse()
        await stream.raw(`data: ${JSON.stringify(progress)}\n\ndata: ${resultText(request)}\n\n`)
        stream.destroy()
      },
      2,
    ],
    [
      'a content type in capitals with parameters',
      (request, reply) => {
        reply.response.writeHead(200, { 'content-type': 'Application/JSON; Charset=UTF-8' }).end(resultText(request))
      },
      1,
    ],
    [
      'an event stream with a charset',
      async (request, reply) => {
        const stream = reply.sse({ 'content-type': 'text/event-stream; charset=utf-8' })
        await stream.raw(`data:${JSON.stringify(progress)}\n\ndata:${resultText(request)}\n\n`)
        stream.end()
      },
      2,
    ],
    [
      'a byte order mark',
      async (request, reply) => {
        const stream = reply.sse()
        await stream.raw(`\ufeffdata: ${JSON.stringify(progress)}\n\ndata: ${resultText(request)}\n\n`)
        stream.end()
      },
      2,
    ],
    [
      'foreign event names, id and retry lines',
      async (request, reply) => {
        const stream = reply.sse()
        await stream.raw(
          `id: 5\nretry: 10\nevent: odd\ndata: ${JSON.stringify(progress)}\n\nid: 6\ndata: ${resultText(request)}\n\n`,
        )
        stream.end()
      },
      2,
    ],
    [
      'data over several lines',
      async (request, reply) => {
        const stream = reply.sse()
        const pretty = JSON.stringify(JSON.parse(resultText(request)), null, 1)
        await stream.raw(
          `data: ${JSON.stringify(progress)}\n\n${pretty
            .split('\n')
            .map((line) => `data: ${line}\n`)
            .join('')}\n`,
        )
        stream.end()
      },
      2,
    ],
    ...(['\n', '\r\n', '\r'] as const).map((end): [string, StubHandler, number] => [
      `line ends ${JSON.stringify(end)}`,
      (request, reply) => {
        const stream = reply.sse()
        stream.event(progress, end)
        stream.event(resultText(request), end)
        stream.end()
      },
      2,
    ]),
    [
      'one byte at a time, with code points of four bytes',
      async (request, reply) => {
        const stream = reply.sse()
        const bytes = Buffer.from(
          `data: ${JSON.stringify(progress)}\r\n\r\ndata: ${resultText(request).replace('done', 'done 😀é')}\r\n\r\n`,
        )
        reply.socket.setNoDelay(true)
        for (const byte of bytes) await stream.raw(Uint8Array.of(byte))
        stream.end()
      },
      2,
    ],
  ]
  for (const [name, script, count] of readable) {
    it(name, async () => {
      const { one } = await running(script)
      const answer = await call(one(), 'tools/call', params, { id: 'c', progressToken: 1 })
      const received = await answer.messages()
      expect(received).toHaveLength(count)
      expect(received.at(-1)).toMatchObject({ id: 'c' })
      expect(JSON.stringify(received.at(-1))).toContain('done')
      const body = await answer.text()
      expect(body).not.toMatch(/^(id|retry):/m)
      if (name.includes('code points')) expect(body).toContain('done 😀é')
    })
  }

  it('a message over maxMessageBytes ends the call with an error, in both forms', async () => {
    const big = 'x'.repeat(5_000)
    for (const script of [
      (_, reply) => reply.result(text(big)),
      (request, reply) => {
        const stream = reply.sse()
        stream.event(resultText(request).replace('done', big))
        stream.end()
      },
    ] satisfies StubHandler[]) {
      const { one } = await running(script, { maxMessageBytes: 4_096 })
      const error = await gatewayError(await call(one(), 'tools/call', params, { id: 'c' }))
      expect(error.message).toMatch(/4096|maxMessageBytes/)
    }
  })

  it('an endless event without an end is bounded', async () => {
    const { one } = await running(
      async (request, reply) => {
        const stream = reply.sse()
        await stream.raw('data: "')
        while (!request.isAbandoned()) await stream.raw('x'.repeat(65_536))
      },
      { maxMessageBytes: 1_000_000 },
    )
    await gatewayError(await call(one(), 'tools/call', params, { id: 'c' }))
  })

  it('an endless stream of empty lines and comments does not grow the gateway', async () => {
    const { one } = await running(async (request, reply) => {
      const stream = reply.sse()
      for (let sent = 0; sent < 20; sent += 1) await stream.raw('\n\r\n\r: x\n'.repeat(5_000))
      stream.event(resultText(request))
      stream.end()
    })
    const answer = await call(one(), 'tools/call', params, { id: 'c' })
    expect(await answer.answer()).toMatchObject({ id: 'c', result: text('done') })
  })
})
