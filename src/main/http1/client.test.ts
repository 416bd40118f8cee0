import { createServer, Socket, type Server } from 'node:net'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { HttpClient, type HttpExchange, type HttpRequest } from './client'
import { HttpClientError } from './http-client-error'

const servers: Server[] = []
const clients: HttpClient[] = []

afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.destroy()))
  await Promise.all(servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve))))
})

/** A server that hears of whole requests of one write, and answers as `answer` does. */
async function serve(answer: (socket: Socket, request: string, connection: number) => void): Promise<HttpClient> {
  let connections = 0
  const server = createServer((socket) => {
    const connection = ++connections
    socket.on('error', () => undefined)
    socket.on('data', (bytes) => answer(socket, bytes.toString('utf8'), connection))
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return clientOf(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`)
}

function clientOf(url: string): HttpClient {
  const client = new HttpClient({ url: new URL(url), connectTimeoutMs: 2_000 })
  clients.push(client)
  return client
}

interface Heard {
  status: number
  body: string
  /** How it failed. */
  failure?: Error
}

const post: HttpRequest = { method: 'POST', path: '/mcp?a=1', headers: [['x-one', '1']], body: '{}' }

function send(
  client: HttpClient,
  request: Partial<HttpRequest> = {},
  began?: (exchange: HttpExchange) => void,
): Promise<Heard> {
  return new Promise((resolve) => {
    const heard: Heard = { status: 0, body: '' }
    const exchange = client.send(
      { ...post, ...request },
      {
        head: (status) => (heard.status = status),
        data: (bytes) => (heard.body += bytes.toString('utf8')),
        ended: () => resolve(heard),
        failed: (failure) => resolve({ ...heard, failure }),
      },
    )
    began?.(exchange)
  })
}

/** The turns of the event loop for which a connection is not used again. */
async function rested(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve))
}

const ok = (body: string, fields = ''): string =>
  `HTTP/1.1 200 OK\r\n${fields}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`

describe('requests', () => {
  it('go out as they are given, with host, connection and length', async () => {
    const client = await serve((socket, request) => socket.end(ok(request)))
    const { body } = await send(client, { body: '{"city":"Zürich"}' })
    expect(body.replace(/127\.0\.0\.1:\d+/, 'HOST').split('\r\n')).toEqual([
      'POST /mcp?a=1 HTTP/1.1',
      'host: HOST',
      'connection: keep-alive',
      'x-one: 1',
      'content-length: 18',
      '',
      '{"city":"Zürich"}',
    ])
  })

  it('may have no body, and a host of their own', async () => {
    const client = await serve((socket, request) => socket.end(ok(request)))
    const { body } = await send(client, { method: 'GET', headers: [['Host', 'example.org']], body: undefined })
    expect(body).toBe('GET /mcp?a=1 HTTP/1.1\r\nhost: example.org\r\nconnection: keep-alive\r\n\r\n')
  })

  it('with a frozen list have its fields each time, and their own path and length', async () => {
    const client = await serve((socket, request) => socket.write(ok(request)))
    const headers = Object.freeze([['x-one', '1'] as [string, string]]) as HttpRequest['headers']
    const sent: string[] = []
    for (const request of [
      { body: '{}' },
      { path: '/other', body: '[1]' },
      { method: 'GET' as const, body: undefined },
    ])
      sent.push((await send(client, { ...request, headers })).body.replace(/host: \S+/, 'host'))
    expect(sent).toEqual([
      'POST /mcp?a=1 HTTP/1.1\r\nhost\r\nconnection: keep-alive\r\nx-one: 1\r\ncontent-length: 2\r\n\r\n{}',
      'POST /other HTTP/1.1\r\nhost\r\nconnection: keep-alive\r\nx-one: 1\r\ncontent-length: 3\r\n\r\n[1]',
      'GET /mcp?a=1 HTTP/1.1\r\nhost\r\nconnection: keep-alive\r\nx-one: 1\r\n\r\n',
    ])
  })

  it('with a frozen list that cannot be written are refused each time', async () => {
    let heard = 0
    const client = await serve(() => heard++)
    const headers = Object.freeze([['x y', '1'] as [string, string]]) as HttpRequest['headers']
    for (let time = 0; time < 2; time++)
      expect((await send(client, { headers })).failure).toMatchObject({ failure: 'request' })
    expect(heard).toBe(0)
  })

  it('that could have a body say that they have none', async () => {
    const client = await serve((socket, request) => socket.end(ok(request)))
    expect((await send(client, { body: undefined })).body).toContain('\r\ncontent-length: 0\r\n')
  })

  it.each<[string, Partial<HttpRequest>]>([
    ['a line end in a value', { headers: [['x', 'a\r\nevil: 1']] }],
    ['a character beyond latin1', { headers: [['x', '☃']] }],
    ['a blank in a name', { headers: [['x y', '1']] }],
    ['a length of their own', { headers: [['Content-Length', '1']] }],
    ['a coding of their own', { headers: [['transfer-encoding', 'chunked']] }],
    ['a path with a blank', { path: '/a b' }],
    ['a path with a line end', { path: '/a\r\nx: 1' }],
  ])('with %s are refused before anything is sent', async (_what, request) => {
    let heard = 0
    const client = await serve(() => heard++)
    const { failure } = await send(client, request)
    expect(failure).toMatchObject({ failure: 'request' })
    expect(heard).toBe(0)
  })
})

describe('connections', () => {
  it('are used again one request after the other, and never by two at a time', async () => {
    const client = await serve(
      (socket, _request, connection) => void setTimeout(() => socket.write(ok(String(connection))), 20),
    )
    const first = await Promise.all([send(client), send(client)])
    expect(first.map(({ body }) => body).sort()).toEqual(['1', '2'])
    await rested()
    const second = await Promise.all([send(client), send(client)])
    expect(second.map(({ body }) => body).sort()).toEqual(['1', '2'])
  })

  it('are not used again when the server closes them, now or soon', async () => {
    for (const fields of ['connection: close\r\n', 'keep-alive: timeout=1\r\n']) {
      const client = await serve((socket, _request, connection) => socket.write(ok(String(connection), fields)))
      expect((await send(client)).body).toBe('1')
      await rested()
      expect((await send(client)).body).toBe('2')
    }
  })

  it('are not used again when the server said more than it was asked', async () => {
    const client = await serve((socket, _request, connection) =>
      socket.write(`${ok(String(connection))}HTTP/1.1 200 OK\r\n`),
    )
    expect((await send(client)).body).toBe('1')
    await rested()
    expect((await send(client)).body).toBe('2')
  })

  it('that were closed while idle are replaced', async () => {
    let closed: Promise<unknown> = Promise.resolve()
    const client = await serve((socket, _request, connection) => {
      closed = new Promise((resolve) => socket.on('close', resolve))
      socket.end(ok(String(connection)))
    })
    await send(client)
    await closed
    expect((await send(client)).body).toBe('2')
  })

  it('that a server closes without having said so are not used by who asks at once', async () => {
    const client = await serve((socket, _request, connection) => socket.end(ok(String(connection))))
    const heard: Heard[] = []
    for (let count = 0; count < 10; count++) {
      heard.push(await send(client))
      // The next one is sent in the same turn of the event loop, then in the one after it.
      if (count > 5) await new Promise((resolve) => setImmediate(resolve))
    }
    expect(heard.filter(({ failure }) => failure !== undefined)).toEqual([])
  })

  it('go on when what hears of a response fails, which is told of that', async () => {
    const client = await serve((socket, _request, connection) => socket.write(ok(String(connection))))
    const handler = { head: () => undefined, data: () => undefined, ended: () => undefined }
    const fail = (): never => {
      throw new Error('broken')
    }
    for (const at of ['head', 'data', 'ended']) {
      const failure = new Promise<Error>((resolve) => client.send(post, { ...handler, [at]: fail, failed: resolve }))
      expect((await failure).message).toBe('broken')
    }
    expect((await send(client)).failure).toBeUndefined()
  })

  it.each(['http', 'https'])('of %s are probed while they are silent', async (scheme) => {
    const probed = vi.spyOn(Socket.prototype, 'setKeepAlive')
    const accepted = new Promise<void>((resolve) => {
      const server = createServer((socket) => {
        socket.on('error', () => undefined).resume()
        resolve()
      }).listen(0, '127.0.0.1', () => {
        void send(clientOf(`${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}/`))
      })
      servers.push(server)
    })
    await accepted
    await expect.poll(() => probed.mock.calls).toContainEqual([true, 60_000])
    probed.mockRestore()
  })

  it('close at once when a request is given up, which hears nothing more', async () => {
    let left: (() => void) | undefined
    const gone = new Promise<void>((resolve) => (left = resolve))
    const client = await serve((socket) => {
      socket.on('close', () => left?.())
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nabc')
    })
    let heard = ''
    const exchange = client.send(post, {
      head: () => undefined,
      data: (bytes) => {
        heard += bytes.toString('utf8')
        exchange.abort()
      },
      ended: () => (heard += ' ended'),
      failed: () => (heard += ' failed'),
    })
    await gone
    expect(heard).toBe('abc')
  })

  it('hold back while a response is paused', async () => {
    const large = 'x'.repeat(8_000_000)
    let answering: Socket | undefined
    const client = await serve((socket) => {
      answering = socket
      socket.write(ok(large))
    })
    let bytes = 0
    let exchange: HttpExchange | undefined
    const done = new Promise((resolve, reject) => {
      const data = (chunk: Buffer): void => {
        if (bytes === 0) exchange?.pause()
        bytes += chunk.length
      }
      exchange = client.send(post, { head: () => undefined, data, ended: () => resolve(bytes), failed: reject })
    })
    await expect.poll(() => answering?.writableLength).toBeGreaterThan(0)
    await expect.poll(() => bytes).toBeGreaterThan(0)
    const before = bytes
    // Many turns, in which a connection that is read would bring all of it.
    for (let turn = 0; turn < 1_000; turn++) await new Promise((resolve) => setImmediate(resolve))
    expect(bytes).toBe(before)
    exchange?.resume()
    expect(await done).toBe(large.length)
  })
})

describe('failures', () => {
  it('tell a server that is not there, one that leaves, and one that speaks something else', async () => {
    const nobody = clientOf('http://127.0.0.1:1/mcp')
    expect((await send(nobody)).failure).toMatchObject({ code: 'ECONNREFUSED' })
    const silent = await serve((socket) => socket.end())
    expect((await send(silent)).failure).toMatchObject({ failure: 'ended' })
    const torn = await serve((socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nabc'))
    expect(await send(torn)).toMatchObject({ status: 200, body: 'abc', failure: { failure: 'ended' } })
    const other = await serve((socket) => socket.end('hello\r\n\r\n'))
    expect((await send(other)).failure).toMatchObject({ failure: 'protocol' })
  })

  it('end what is under way when the client is destroyed, and what comes later', async () => {
    const client = await serve(() => undefined)
    const waiting = send(client)
    const destroyed = client.destroy()
    expect((await waiting).failure).toBeInstanceOf(HttpClientError)
    await destroyed
    expect((await send(client)).failure).toMatchObject({ failure: 'closed' })
  })

  it('do not come from closing, which waits for what is under way', async () => {
    let answer: (() => void) | undefined
    const client = await serve((socket) => (answer = () => socket.write(ok('late'))))
    const waiting = send(client)
    let closed = false
    const closing = client.close().then(() => (closed = true))
    await expect.poll(() => answer).toBeDefined()
    expect(closed).toBe(false)
    answer?.()
    expect((await waiting).body).toBe('late')
    await closing
  })
})
