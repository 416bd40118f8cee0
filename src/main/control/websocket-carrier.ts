import { createHash, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { WebSocketServer, type RawData, type WebSocket } from 'ws'
import { readAsset } from './assets'
import type { ConnectedDesk, Control } from './control'

export interface DeskServerOptions {
  control: Control
  /** Folder of the built desk. */
  assets: string
  /** 0 picks a free one. */
  port: number
  /** Secret of this run; who has it may use the desk. */
  token: string
  /** Time in which a desk must say hello. 5 s by default. */
  helloMs?: number
}

export interface DeskServer {
  /** Where to point a browser, token included. */
  url: string
  close(): Promise<void>
}

/** Close codes of our own (RFC 6455 section 7.4.2). */
const CLOSE_UNAUTHORIZED = 4401
const CLOSE_BAD_MESSAGE = 4400
const CLOSE_TOO_SLOW = 4408

const HOST = '127.0.0.1'
const MAX_MESSAGE_BYTES = 1_048_576
/** A desk that has more than this before it is behind; its feeds wait. */
const BEHIND_BYTES = 1_048_576
/** A desk that asks, but does not read. */
const MAX_BUFFERED_BYTES = 268_435_456
const MAX_DESKS = 32

/**
 * Serves the desk to browsers on this machine: its files over HTTP, everything else over one WebSocket at `/desk`.
 * Bound to loopback; `Host` and `Origin` must be exactly ours (DNS rebinding, other sites), and the first message must
 * carry the token. Rejects when the port is taken.
 */
export async function createDeskServer(options: DeskServerOptions): Promise<DeskServer> {
  const server = createServer((request, response) => {
    serve(options, hosts(server), request, response).catch((error: unknown) => {
      response.destroy(error instanceof Error ? error : new Error(String(error)))
    })
  })
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE_BYTES, perMessageDeflate: false })
  server.on('upgrade', (request, socket, head) => {
    // A connection may break at any time; there is nobody to tell.
    socket.on('error', () => socket.destroy())
    const refusal = refuseUpgrade(request, hosts(server), sockets.clients.size)
    if (refusal !== undefined) return refuse(socket, refusal)
    sockets.handleUpgrade(request, socket, head, (webSocket) => carry(webSocket, options))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port, HOST, () => {
      server.off('error', reject)
      resolve()
    })
  })
  return {
    url: `http://${HOST}:${portOf(server)}/?token=${encodeURIComponent(options.token)}`,
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      for (const client of sockets.clients) client.terminate()
      server.closeAllConnections()
      await closed
    },
  }
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port
}

/** What `Host` may be. */
function hosts(server: Server): readonly string[] {
  const port = portOf(server)
  return [`${HOST}:${port}`, `localhost:${port}`]
}

async function serve(
  { assets }: DeskServerOptions,
  allowed: readonly string[],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  for (const [name, value] of Object.entries(securityHeaders(allowed))) response.setHeader(name, value)
  if (!allowed.includes(request.headers.host ?? '')) return answer(response, 403, `this is not ${request.headers.host}`)
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.setHeader('allow', 'GET, HEAD')
    return answer(response, 405, 'only GET and HEAD')
  }
  const path = (request.url ?? '/').split(/[?#]/)[0] ?? '/'
  const asset = await readAsset(assets, path)
  if (asset === undefined) {
    return path === '/'
      ? answer(response, 503, 'the desk is not built; run "npm run build"')
      : answer(response, 404, 'not found')
  }
  response.writeHead(200, { 'content-type': asset.type, 'content-length': asset.bytes.length })
  response.end(request.method === 'HEAD' ? undefined : asset.bytes)
}

function answer(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' })
  response.end(`${text}\n`)
}

function securityHeaders(allowed: readonly string[]): Record<string, string> {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    // Sound in results.
    'media-src data:',
    "font-src 'self'",
    // `'self'` does not cover ws: in every browser.
    `connect-src 'self' ${allowed.map((host) => `ws://${host}`).join(' ')}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ]
  return {
    'content-security-policy': policy.join('; '),
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'cache-control': 'no-cache',
  }
}

/** Why a WebSocket may not be opened, as an HTTP status line; undefined when it may. */
function refuseUpgrade(request: IncomingMessage, allowed: readonly string[], open: number): string | undefined {
  const host = request.headers.host ?? ''
  if (!allowed.includes(host)) return '403 Forbidden'
  if (request.headers.origin !== `http://${host}`) return '403 Forbidden'
  if ((request.url ?? '').split('?')[0] !== '/desk') return '404 Not Found'
  return open >= MAX_DESKS ? '503 Service Unavailable' : undefined
}

function refuse(socket: Duplex, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`)
}

/** Carries one desk: hello first, then commands and opened calls one way, answers and feeds the other. */
function carry(socket: WebSocket, { control, token, helloMs = 5_000 }: DeskServerOptions): void {
  let desk: ConnectedDesk | undefined
  const deadline = setTimeout(() => socket.close(CLOSE_UNAUTHORIZED, 'no hello'), helloMs)

  const send = (message: object): void => {
    if (socket.readyState !== socket.OPEN) return
    socket.send(JSON.stringify(message))
    if (socket.bufferedAmount <= MAX_BUFFERED_BYTES) return
    socket.close(CLOSE_TOO_SLOW, 'asks, but does not read')
    // The close frame stands behind everything that is not read.
    socket.terminate()
  }

  const hello = (message: Record<string, unknown>): void => {
    clearTimeout(deadline)
    const claim = message.hello
    const claimed = isRecord(claim) && typeof claim.token === 'string' ? claim.token : undefined
    if (claimed === undefined || !sameSecret(claimed, token)) return socket.close(CLOSE_UNAUTHORIZED, 'wrong token')
    desk = control.connect({ push: send, ready: () => socket.bufferedAmount < BEHIND_BYTES })
    send({ welcome: {} })
  }

  socket.on('message', (data, binary) => {
    const message = binary ? undefined : parse(data)
    if (message === undefined) return socket.close(CLOSE_BAD_MESSAGE, 'no JSON object')
    if (desk === undefined) return hello(message)
    if ('open' in message) return desk.openCall(message.open)
    if ('close' in message) return desk.closeCall(message.close)
    const { id, command, request } = message
    if (typeof id !== 'number' || !Number.isSafeInteger(id)) return socket.close(CLOSE_BAD_MESSAGE, 'no id')
    void desk.command(command, request).then((answered) => send({ id, ...answered }))
  })
  socket.on('close', () => {
    clearTimeout(deadline)
    desk?.close()
  })
  // Too large or broken frames; `close` follows and does the work.
  socket.on('error', () => socket.terminate())
}

function parse(data: RawData): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(String(data))
    return isRecord(value) ? value : undefined
  } catch {
    // The caller closes the connection: after a message that cannot be read, neither side knows what is missing.
    return undefined
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Takes the same time whatever differs; digests make the lengths the same. */
function sameSecret(a: string, b: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(a), digest(b))
}
