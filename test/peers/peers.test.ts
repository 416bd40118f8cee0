import { afterEach, describe, expect, it } from 'vitest'
import { call, post, rawExchange, send } from './raw-client'
import { serve, text } from './scripted-server'
import { startStub, type Stub, type StubHandler } from './stub-backend'

let stub: Stub | undefined
const start = async (handler: StubHandler): Promise<Stub> => (stub = await startStub(handler))
afterEach(async () => {
  expect(stub?.failures ?? []).toEqual([])
  await stub?.close()
})

describe('the stub and the raw client, against each other', () => {
  it('keeps bytes, header spelling and JSON answers exactly', async () => {
    const { url, requests } = await start((_, reply) => reply.json(200, '{"b":1.0,"a":12345678901234567890}'))
    const answer = await post(url, '{ "x" : 1.0 }', { 'X-OdD': 'a', 'content-type': 'application/json' })
    expect(await answer.text()).toBe('{"b":1.0,"a":12345678901234567890}')
    expect(requests[0]?.body).toBe('{ "x" : 1.0 }')
    expect(requests[0]?.rawHeaders).toContainEqual(['X-OdD', 'a'])
  })

  it('hands out frames one by one, before the stream ends, with every kind of line end', async () => {
    let proceed: () => void = () => undefined
    const gate = new Promise<void>((resolve) => {
      proceed = resolve
    })
    const { url } = await start(async (_, reply) => {
      const stream = reply.sse()
      stream.event({ n: 1 }, '\r\n')
      stream.event({ n: 2 }, '\r')
      await gate
      stream.comment('ping')
      await stream.raw('id: 7\nretry: 5\ndata: a\ndata: b\n\n')
      stream.end()
    })
    const answer = await post(url, '{}')
    expect((await answer.nextFrame())?.data).toBe('{"n":1}')
    expect((await answer.nextFrame())?.data).toBe('{"n":2}')
    proceed()
    const rest = await answer.frames()
    expect(rest.map(({ data, comments, id, retry }) => ({ data, comments, id, retry }))).toEqual([
      { data: undefined, comments: ['ping'], id: undefined, retry: undefined },
      { data: 'a\nb', comments: [], id: '7', retry: '5' },
    ])
  })

  it('tells a reset before the head from a reset in the body', async () => {
    const { url, script } = await start((_, reply) => reply.reset())
    await expect(post(url, '{}')).rejects.toThrow()
    script((_, reply) => {
      const stream = reply.sse()
      stream.event('first')
      setImmediate(() => stream.destroy())
    })
    const answer = await post(url, '{}')
    await expect(answer.text()).rejects.toThrow()
  })

  it('reports when the client went away', async () => {
    const running = await start(() => undefined)
    const exchange = send(running.url, { method: 'wait' })
    const request = await running.next('wait')
    expect(request.isAbandoned()).toBe(false)
    const before = performance.now()
    exchange.destroy()
    expect((await request.abandoned) - before).toBeLessThan(1000)
    await expect(exchange.head).rejects.toThrow()
  })

  it('serves lists and calls of a scripted server to a modern request', async () => {
    const { url, of } = await start(
      serve({
        tools: {
          Grüße: { descriptor: { title: 'Greet' }, call: (request, reply) => reply.result(text(request.name)) },
        },
      }),
    )
    const list = await (await call(url, 'tools/list')).json()
    expect(list.result).toMatchObject({ tools: [{ name: 'Grüße', title: 'Greet' }], ttlMs: 0 })
    const answer = await (await call(url, 'tools/call', { name: 'Grüße', arguments: {} }, { id: 'a' })).json()
    expect(answer).toMatchObject({ id: 'a', result: { resultType: 'complete', content: [{ text: 'Grüße' }] } })
    expect(of('tools/call')[0]?.headers['mcp-name']).toBe(`=?base64?${Buffer.from('Grüße').toString('base64')}?=`)
  })

  it('speaks no HTTP when asked to', async () => {
    const { port } = await start((_, reply) => void reply.socket.end('not http at all\r\n'))
    expect(await rawExchange(port, 'POST /mcp HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}')).toBe(
      'not http at all\r\n',
    )
  })
})
