import { connect } from 'node:net'
import { GatewayConfig } from '../../shared/config/schema'

export const DEFAULT_URL = 'http://127.0.0.1:7420/mcp'
const PROBE_MS = 2_000

/** Where a gateway of this machine has to listen to answer at that URL; undefined when it is not this machine's. */
export function listeningPlace(url: URL): { host: GatewayConfig['host']; port: number } | undefined {
  if (url.protocol !== 'http:' || !/^\/mcp(\/[^/]+)?\/?$/.test(url.pathname)) return undefined
  const host = GatewayConfig.shape.host.safeParse(bareHost(url))
  return host.success ? { host: host.data, port: Number(url.port === '' ? 80 : url.port) } : undefined
}

/** Whether anything listens there. */
export function somethingListens(url: URL): Promise<boolean> {
  const port = Number(url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : url.port)
  return new Promise((resolve) => {
    const socket = connect({ host: bareHost(url), port })
    const settle = (listens: boolean): void => {
      socket.destroy()
      resolve(listens)
    }
    socket.setTimeout(PROBE_MS, () => settle(false))
    socket.on('connect', () => settle(true))
    socket.on('error', () => settle(false))
  })
}

function bareHost(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1')
}
