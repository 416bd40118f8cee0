import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream'
import { Pool } from 'undici'

/** The least a reverse proxy of node:http and undici can do: heads and bytes, unread. Argument: the backend's origin. */
const pool = new Pool(process.argv[2] ?? '', { pipelining: 1 })

const server = createServer((request, response) => {
  const { host: _host, connection: _connection, ...headers } = request.headers
  pool.request({ path: request.url ?? '/', method: 'POST', headers, body: request }).then(
    ({ statusCode, headers: received, body }) => {
      const { connection: _hop, 'keep-alive': _keepAlive, 'transfer-encoding': _encoding, ...rest } = received
      response.writeHead(statusCode, rest)
      pipeline(body, response, () => undefined)
    },
    () => response.destroy(),
  )
})
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port))
