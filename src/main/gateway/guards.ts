import type { IncomingMessage } from 'node:http'
import { ErrorCode } from '../../shared/protocol/errors'
import { GatewayError } from './gateway-error'

/** What `Host` and `Origin` may be: exact strings, compared whole (DNS rebinding; transports/streamable-http "Security"). */
export interface AllowList {
  hosts: ReadonlySet<string>
  origins: ReadonlySet<string>
}

export function allowListFor(port: number, extraHosts: readonly string[], extraOrigins: readonly string[]): AllowList {
  const names = ['127.0.0.1', 'localhost', '[::1]']
  const hosts = names.map((name) => `${name}:${port}`)
  // Clients leave out the port when it is the scheme's own.
  if (port === 80) hosts.push(...names)
  return {
    hosts: new Set([...hosts, ...extraHosts.map((host) => host.toLowerCase())]),
    origins: new Set([...hosts.map((host) => `http://${host}`), ...extraOrigins]),
  }
}

/** Throws the 403 that ends a request from a foreign page or with a rebound name. */
export function checkHostAndOrigin(request: IncomingMessage, allowed: AllowList): void {
  const host = onlyHost(request.rawHeaders)
  if (host === undefined || !allowed.hosts.has(host.toLowerCase())) {
    throw new GatewayError(
      ErrorCode.Transport,
      `Client leg: the Host header ${quote(host)} is not one of this gateway's own. Use the endpoint's URL as it is shown, or add the value to gateway.allowedHosts.`,
      undefined,
      { status: 403 },
    )
  }
  const origin = request.headers.origin
  if (origin !== undefined && !allowed.origins.has(origin)) {
    throw new GatewayError(
      ErrorCode.Transport,
      `Client leg: requests from the web origin ${quote(origin)} are not allowed. Add it to gateway.allowedOrigins if you trust that page.`,
      undefined,
      { status: 403 },
    )
  }
}

function quote(value: string | undefined): string {
  return value === undefined ? '(none)' : JSON.stringify(value.slice(0, 200))
}

/** Two fields would let two readers take different ones (RFC 9112 3.2). */
function onlyHost(rawHeaders: readonly string[]): string | undefined {
  let host: string | undefined
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.toLowerCase() !== 'host') continue
    if (host !== undefined) return undefined
    host = rawHeaders[index + 1]
  }
  return host
}
