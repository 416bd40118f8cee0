import { createServer, type Server } from 'node:http'
import { connect, Socket, type AddressInfo } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterEach, describe, expect, it } from 'vitest'
import { GatewayError } from './gateway-error'
import { IncomingRequest } from './incoming-request'
import { readBody } from './request-body'

const LIMIT = 20
const servers: Server[] = []
const sockets: Socket[] = []

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await Promise.all(servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve))))
})

/** What is read of a request that is sent in these pieces, each after the one before was taken in. */
async function read(pieces: readonly (string | Buffer)[], then?: (socket: Socket) => void): Promise<string[]> {
  const heard: string[] = []
  let taken: () => void = () => undefined
  const settled = new Promise<void>((resolve) => {
    const server = createServer({ IncomingMessage: IncomingRequest }, (request, response) => {
      readBody(request, LIMIT, (body) => {
        heard.push(body instanceof GatewayError ? `${body.status} ${body.code}` : String(body))
        response.end('done')
        resolve()
      })
      taken()
    })
    // Who listens to the socket takes its bytes away from the parser's own reading, so this is only for what comes in pieces.
    if (pieces.length > 1) server.on('connection', (socket) => socket.on('data', () => taken()))
    servers.push(server)
  })
  const server = servers.at(-1)
  if (server === undefined) throw new Error('no server')
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  sockets.push(socket)
  socket.setNoDelay(true)
  socket.on('error', () => undefined)
  for (const piece of pieces) {
    const arrived = new Promise<void>((resolve) => (taken = resolve))
    socket.write(piece)
    await arrived
  }
  then?.(socket)
  await settled
  // A second call of `whole` would come with what is left of the request.
  await new Promise((resolve) => setImmediate(resolve))
  return heard
}

const head = (length: number | string): string =>
  `POST / HTTP/1.1\r\nhost: a\r\n${typeof length === 'number' ? `content-length: ${length}` : length}\r\n\r\n`

describe('a body', () => {
  it.each<[string, (string | Buffer)[], string]>([
    ['that comes with its head', [`${head(5)}hello`], 'hello'],
    ['that comes after its head', [head(5), 'hello'], 'hello'],
    ['that comes in pieces', [`${head(5)}he`, 'l', 'lo'], 'hello'],
    ['in chunks', [`${head('transfer-encoding: chunked')}2\r\nhe\r\n`, '3\r\nllo\r\n0\r\n\r\n'], 'hello'],
    ['of no length', [head(0)], ''],
    ['with a character cut in two', [Buffer.from(`${head(2)}ü`).subarray(0, -1), Buffer.from('ü').subarray(1)], 'ü'],
    ['that says to be too large', [head(LIMIT + 1)], '413 -32000'],
    ['that is too large', [`${head('transfer-encoding: chunked')}30\r\n${'x'.repeat(48)}\r\n`], '413 -32000'],
    ['that is not UTF-8', [Buffer.concat([Buffer.from(head(1)), Buffer.from([0xff])])], '400 -32700'],
  ])('%s', async (_what, pieces, expected) => {
    expect(await read(pieces)).toEqual([expected])
  })

  it.each([`${head(5)}he`, head(5)])('whose client leaves in the middle: %j', async (piece) => {
    expect(await read([piece], (socket) => socket.destroy())).toEqual(['undefined'])
  })

  it('takes little more memory than its length, also in chunks of a byte', () => {
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    const used = (): number => {
      collect()
      return process.memoryUsage().heapUsed
    }
    const request = new IncomingRequest(new Socket())
    const heard: unknown[] = []
    readBody(request, 1_000_000, (body) => heard.push(body))
    const before = used()
    for (let count = 0; count < 200_000; count++) request.push(Buffer.alloc(1, 'x'))
    expect(used() - before).toBeLessThan(5_000_000)
    request.push(null)
    expect(heard).toEqual(['x'.repeat(200_000)])
  })
})
