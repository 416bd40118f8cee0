import { once } from 'node:events'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import type { Control, DeskSink } from './control'
import { createDeskServer, type DeskServer } from './websocket-carrier'

const TOKEN = 'a+b/c='

let folder: string
let server: DeskServer
let port: number
let sinks: DeskSink[]
let opened: unknown[]
let closed: number
const sockets: WebSocket[] = []

const control: Control = {
  connect(sink) {
    sinks.push(sink)
    return {
      command: async (name, asked) =>
        name === 'desk.status'
          ? { ok: true, value: { asked } }
          : { ok: false, error: { code: 'invalid-request', message: `no ${String(name)}` } },
      openCall: (call) => opened.push(['open', call]),
      closeCall: (call) => opened.push(['close', call]),
      close: () => closed++,
    }
  },
  refresh: () => undefined,
  close: () => Promise.resolve(),
}

beforeEach(async () => {
  sinks = []
  opened = []
  closed = 0
  folder = await mkdtemp(join(tmpdir(), 'sluice-desk-'))
  await mkdir(join(folder, 'built', 'assets'), { recursive: true })
  await writeFile(join(folder, 'built', 'index.html'), '<!doctype html><title>Sluice</title>')
  await writeFile(join(folder, 'built', 'assets', 'index-a1.js'), 'export {}')
  await writeFile(join(folder, 'built', 'assets', 'style.css'), 'body {}')
  await writeFile(join(folder, 'built', 'secret'), 'no type')
  await writeFile(join(folder, 'outside.json'), '{"secret":1}')
  await symlink(join(folder, 'outside.json'), join(folder, 'built', 'link.json'))
  server = await createDeskServer({ control, assets: join(folder, 'built'), port: 0, token: TOKEN, helloMs: 100 })
  port = Number(new URL(server.url).port)
})
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.terminate()
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

function get(
  path: string,
  { method = 'GET', host = `127.0.0.1:${port}` } = {},
): Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; body: string }> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path, method, headers: { host } }, (response) => {
      let body = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => (body += chunk))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }))
    })
    sent.on('error', reject)
    sent.end()
  })
}

function open(headers: Record<string, string> = {}, path = '/desk'): WebSocket {
  const own = { origin: `http://127.0.0.1:${port}`, ...headers }
  const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, { headers: own })
  sockets.push(socket)
  return socket
}

async function welcomed(): Promise<{ socket: WebSocket; messages: unknown[] }> {
  const socket = open()
  const messages: unknown[] = []
  socket.on('message', (data) => messages.push(JSON.parse(String(data))))
  await once(socket, 'open')
  socket.send(JSON.stringify({ hello: { token: TOKEN } }))
  await vi.waitFor(() => expect(messages).toEqual([{ welcome: {} }]))
  messages.length = 0
  return { socket, messages }
}

async function closeCode(socket: WebSocket): Promise<number> {
  const [code] = (await once(socket, 'close')) as [number]
  return code
}

describe('the desk over HTTP', () => {
  it.each([
    ['/', 'text/html; charset=utf-8', 'Sluice'],
    ['/?token=x', 'text/html; charset=utf-8', 'Sluice'],
    ['/assets/index-a1.js', 'text/javascript; charset=utf-8', 'export'],
    ['/assets/style.css?v=1', 'text/css; charset=utf-8', 'body'],
  ])('serves %s', async (path, type, content) => {
    const { status, headers, body } = await get(path)
    expect([status, headers['content-type']]).toEqual([200, type])
    expect(body).toContain(content)
  })

  it('sets what a page may and who may frame it, on every answer', async () => {
    for (const path of ['/', '/nothing.js']) {
      const { headers } = await get(path)
      expect(headers['content-security-policy']).toContain("default-src 'none'")
      expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
      expect(headers['content-security-policy']).toContain(`ws://127.0.0.1:${port}`)
      expect(headers['content-security-policy']).not.toContain('unsafe')
      expect(headers['x-content-type-options']).toBe('nosniff')
      expect(headers['referrer-policy']).toBe('no-referrer')
    }
  })

  it.each([
    '/../outside.json',
    '/..%2foutside.json',
    '/%2e%2e/outside.json',
    '/assets/../../outside.json',
    '/..\\outside.json',
    '/link.json',
    '/secret',
    '/assets',
    '/assets/',
    '/%00index.html',
    '/%zz.js',
    '//etc/passwd',
    '/etc/passwd',
    `/${'a'.repeat(300)}.js`,
    '/desk',
  ])('has no %j', async (path) => {
    const { status, body } = await get(path)
    expect(status).toBe(404)
    expect(body).not.toContain('secret')
  })

  it.each(['evil.example', 'evil.example:80', '127.0.0.1', '127.0.0.1:1', 'localhost'])(
    'does not answer to the host %s',
    async (host) => {
      expect((await get('/', { host })).status).toBe(403)
    },
  )

  it('answers to localhost with the port', async () => {
    expect((await get('/', { host: `localhost:${port}` })).status).toBe(200)
  })

  it('takes only GET and HEAD', async () => {
    const { status, headers } = await get('/', { method: 'POST' })
    expect([status, headers.allow]).toEqual([405, 'GET, HEAD'])
    expect(await get('/', { method: 'HEAD' })).toMatchObject({ status: 200, body: '' })
  })

  it('says what to do when the desk is not built', async () => {
    await rm(join(folder, 'built', 'index.html'))
    expect(await get('/')).toMatchObject({ status: 503, body: expect.stringContaining('npm run build') as string })
  })

  it('puts the token into its URL so that it comes out the same', () => {
    expect(new URL(server.url).searchParams.get('token')).toBe(TOKEN)
  })

  it('rejects when its port is taken', async () => {
    await expect(createDeskServer({ control, assets: folder, port, token: TOKEN })).rejects.toThrow(/EADDRINUSE/)
  })
})

describe('the desk over the WebSocket', () => {
  it('answers commands by id, and passes on opened calls and feeds', async () => {
    const { socket, messages } = await welcomed()
    socket.send(JSON.stringify({ id: 7, command: 'desk.status', request: { a: 1 } }))
    socket.send(JSON.stringify({ id: 8, command: 'nope' }))
    socket.send(JSON.stringify({ open: 3 }))
    socket.send(JSON.stringify({ close: 3 }))
    await vi.waitFor(() => expect(messages).toHaveLength(2))
    expect(messages).toEqual([
      { id: 7, ok: true, value: { asked: { a: 1 } } },
      { id: 8, ok: false, error: { code: 'invalid-request', message: 'no nope' } },
    ])
    await vi.waitFor(() =>
      expect(opened).toEqual([
        ['open', 3],
        ['close', 3],
      ]),
    )
    sinks[0]?.push({ feed: 'calls', value: { calls: [] } })
    await vi.waitFor(() => expect(messages.at(-1)).toEqual({ feed: 'calls', value: { calls: [] } }))
    socket.close()
    await vi.waitFor(() => expect(closed).toBe(1))
  })

  it.each([
    ['a wrong token', { hello: { token: 'b' } }],
    ['no token', { hello: {} }],
    ['a token that is none', { hello: { token: 7 } }],
    ['a command first', { id: 1, command: 'desk.status', request: {} }],
  ])('closes on %s with 4401', async (_name, message) => {
    const socket = open()
    await once(socket, 'open')
    socket.send(JSON.stringify(message))
    expect(await closeCode(socket)).toBe(4401)
    expect(sinks).toEqual([])
  })

  it('closes when nobody says hello in time', async () => {
    expect(await closeCode(open())).toBe(4401)
  })

  it.each([
    ['no JSON', 'hello'],
    ['a list', '[]'],
    ['binary', Buffer.from('{}')],
    ['a command without id', '{"command":"desk.status"}'],
    ['an id that is none', '{"id":"1","command":"desk.status"}'],
  ])('closes on %s', async (_name, data) => {
    const { socket } = await welcomed()
    socket.send(data)
    expect(await closeCode(socket)).toBe(4400)
    await vi.waitFor(() => expect(closed).toBe(1))
  })

  it('closes on a message over the bound', async () => {
    const { socket } = await welcomed()
    socket.send(JSON.stringify({ id: 1, command: 'x'.repeat(2_000_000) }))
    expect([1006, 1009]).toContain(await closeCode(socket))
    await vi.waitFor(() => expect(closed).toBe(1))
  })

  it.each<[string, Record<string, string>, string]>([
    ['another origin', { origin: 'http://evil.example' }, '/desk'],
    ['the origin null', { origin: 'null' }, '/desk'],
    ['no origin', { origin: '' }, '/desk'],
    ['a look-alike', { origin: 'http://127.0.0.1.evil.example' }, '/desk'],
    ['the other name of the host', { origin: 'http://localhost:1' }, '/desk'],
    ['another host', { host: 'evil.example' }, '/desk'],
    ['another path', {}, '/other'],
  ])('does not open for %s', async (_name, headers, path) => {
    const socket = open(headers, path)
    const [error] = (await once(socket, 'error')) as [Error]
    expect(error.message).toMatch(/403|404/)
  })

  it('survives a connection that breaks during the upgrade', async () => {
    for (let count = 0; count < 20; count++) {
      const socket = connect(port, '127.0.0.1')
      socket.on('error', () => socket.destroy())
      socket.write(
        `GET /desk HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\norigin: http://127.0.0.1:${port}\r\nconnection: upgrade\r\nupgrade: websocket\r\n`,
      )
      socket.write('sec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n')
      await once(socket, 'connect')
      socket.resetAndDestroy()
    }
    expect((await get('/')).status).toBe(200)
  })

  it('says that a desk is behind when it does not read', async () => {
    const { socket } = await welcomed()
    const sink = sinks[0]
    expect(sink?.ready()).toBe(true)
    socket.pause()
    const big = 'x'.repeat(100_000)
    for (let count = 0; count < 400 && sink?.ready() === true; count++) {
      sink.push({ feed: 'call', value: { call: 1, events: [], clipped: [{ seq: 1, length: 1, big } as never] } })
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(sink?.ready()).toBe(false)
    socket.resume()
    await vi.waitFor(() => expect(sink?.ready()).toBe(true), { timeout: 5_000 })
  })

  it('closes with everything that is open', async () => {
    const { socket } = await welcomed()
    const gone = once(socket, 'close')
    await server.close()
    await gone
    await vi.waitFor(() => expect(closed).toBe(1))
  })
})
