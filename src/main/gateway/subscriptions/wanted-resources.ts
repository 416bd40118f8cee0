import type { LegacySession } from '../../backends/backend'

/** Who wants which resources on a connection: a server knows one subscription a connection, however many clients share it. */
const wanted = new Map<symbol, Map<string, Set<object>>>()

/** Notes that `owner` wants `uri`; true when nobody did before, so that the server is to be asked. */
export function want({ connection }: LegacySession, uri: string, owner: object): boolean {
  const uris = wanted.get(connection) ?? new Map<string, Set<object>>()
  wanted.set(connection, uris)
  const owners = uris.get(uri) ?? new Set()
  uris.set(uri, owners)
  owners.add(owner)
  return owners.size === 1
}

/** Notes that `owner` wants `uri` no longer; true when nobody else does, so that the server is to be told. */
export function unwant({ connection }: LegacySession, uri: string, owner: object): boolean {
  const uris = wanted.get(connection)
  const owners = uris?.get(uri)
  if (owners?.delete(owner) !== true || owners.size > 0) return false
  uris?.delete(uri)
  if (uris?.size === 0) wanted.delete(connection)
  return true
}

/** The connection is gone, and with it what was wanted on it. */
export function forgetWanted({ connection }: LegacySession): void {
  wanted.delete(connection)
}

/** Whether an update of `uri` is for someone who subscribed to `uris`: it may be a part of one (2025-11-25 schema). */
export function isUpdateFor(uri: unknown, uris: Iterable<string>): boolean {
  if (typeof uri !== 'string') return false
  for (const wish of uris) {
    const whole = wish.endsWith('/') ? wish.slice(0, -1) : wish
    if (uri === wish || (uri.startsWith(whole) && /^[/?#]/.test(uri.slice(whole.length)))) return true
  }
  return false
}
