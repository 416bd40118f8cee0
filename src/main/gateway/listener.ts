import { createServer, type ServerResponse, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { IncomingRequest } from './incoming-request'
import { portHolder } from './port-holder'

export interface Listening {
  port: number
  /** Set when the preferred port was taken. */
  movedFrom?: { port: number; holder?: string }
}

type OnRequest = (request: IncomingRequest, response: ServerResponse) => void

/** Ports tried after a preferred one that is taken, before any free one is. */
const NEIGHBOURS = 20
/** A client gets this long to send its head and body. What it waits for afterwards has no limit. */
const REQUEST_TIMEOUT_MS = 120_000
const HEADERS_TIMEOUT_MS = 60_000
/** Longer than the idle time of usual client pools, so that they close first and no request meets a closing socket. */
const KEEP_ALIVE_MS = 75_000

/** The HTTP server of the client leg on loopback: 127.0.0.1, and ::1 on the same port where that exists. */
export class Listener {
  #servers: Server[] = []
  readonly #onRequest: OnRequest

  constructor(onRequest: OnRequest) {
    this.#onRequest = onRequest
  }

  /** Listens on `preferred` (0: any free port), else on the next free one. */
  async listen(preferred: number, host: '127.0.0.1' | '::1' | 'localhost'): Promise<Listening> {
    const candidates =
      preferred === 0 ? [0] : [...Array.from({ length: NEIGHBOURS + 1 }, (_, index) => preferred + index), 0]
    for (const candidate of candidates.filter((port) => port <= 65_535)) {
      const port = await this.#tryPort(candidate, host)
      if (port === undefined) continue
      if (preferred === 0 || port === preferred) return { port }
      const holder = await portHolder(preferred)
      return { port, movedFrom: { port: preferred, ...(holder === undefined ? {} : { holder }) } }
    }
    throw new Error(`No free port found on ${host}, from ${preferred} on.`)
  }

  /** Stops accepting. Connections in use stay until they end, or until `destroy`. */
  stopAccepting(): void {
    for (const server of this.#servers) {
      server.close()
      server.closeIdleConnections()
    }
  }

  destroy(): void {
    for (const server of this.#servers) server.closeAllConnections()
    this.#servers = []
  }

  async #tryPort(port: number, host: '127.0.0.1' | '::1' | 'localhost'): Promise<number | undefined> {
    const first = await this.#open(port, host === '::1' ? '::1' : '127.0.0.1')
    if (first === 'taken' || first === 'absent') return undefined
    const chosen = (first.address() as AddressInfo).port
    this.#servers = [first]
    if (host === '::1') return chosen
    const second = await this.#open(chosen, '::1')
    if (second === 'taken') {
      // Whoever holds ::1 would get the requests of clients that resolve localhost to it.
      await new Promise((resolve) => first.close(resolve))
      this.#servers = []
      return port === 0 ? this.#tryPort(0, host) : undefined
    }
    if (second !== 'absent') this.#servers.push(second)
    return chosen
  }

  #open(port: number, host: string): Promise<Server | 'taken' | 'absent'> {
    const server = createServer(
      { noDelay: true, keepAlive: true, IncomingMessage: IncomingRequest },
      (request, response) => {
        if (response.socket === null) closeWith(request, response)
        this.#onRequest(request, response)
      },
    )
    server.requestTimeout = REQUEST_TIMEOUT_MS
    server.headersTimeout = HEADERS_TIMEOUT_MS
    server.keepAliveTimeout = KEEP_ALIVE_MS
    // No limit on a socket's silence: a slow tool may take as long as it likes.
    server.timeout = 0
    return new Promise((resolve, reject) => {
      server.once('error', (error: NodeJS.ErrnoException) => {
        if (error.code === 'EADDRINUSE' || error.code === 'EACCES') resolve('taken')
        else if (host === '::1' && (error.code === 'EADDRNOTAVAIL' || error.code === 'EAFNOSUPPORT')) resolve('absent')
        else reject(error)
      })
      server.listen({ port, host, exclusive: true }, () => {
        server.removeAllListeners('error')
        resolve(server)
      })
    })
  }
}

/** Of an answer whose turn on the connection has not come, node does not tell that the client is gone. */
function closeWith(request: IncomingRequest, response: ServerResponse): void {
  request.once('close', () => {
    if (response.socket !== null || response.writableFinished) return
    response.destroyed = true
    response.emit('close')
  })
}
