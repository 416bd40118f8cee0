import type { Era } from '../protocol/revisions'
import type { CaptureEvent } from './events'

/** What the gateway knew of a server, beside the calls to it. */
export interface KnownServer {
  era?: Era
  serverInfo?: { name: string; version?: string }
  /** JSON text of its result of `server/discover` or `initialize`. */
  result?: string
}

/** A longer result is not kept: what servers say of themselves is repeated with every change of their state. */
export const MAX_RESULT = 32_768
/** Writing out what nests deeper could exhaust the stack. */
export const MAX_RESULT_NESTING = 100
const MAX_SERVERS = 100

/** Servers by the names of their backends, as the last events of a capture say. Bounded. */
export class KnownServers {
  private readonly servers: Map<string, KnownServer>

  constructor(before: Iterable<[string, KnownServer]> = []) {
    this.servers = new Map(before)
  }

  take(event: CaptureEvent): void {
    if (event.kind !== 'backend.probed') return
    const { backend, era, serverInfo, result } = event
    if (serverInfo === undefined && result === undefined) return
    const known = this.servers.get(backend)
    if (known === undefined && this.servers.size >= MAX_SERVERS) return
    const same = known !== undefined && known.era === era
    this.servers.set(backend, {
      ...(same && known),
      ...(era !== undefined && { era }),
      ...(serverInfo !== undefined && boundedInfo(serverInfo)),
      ...(result !== undefined && result.length <= MAX_RESULT && { result }),
    })
  }

  of(backend: string): KnownServer | undefined {
    return this.servers.get(backend)
  }

  entries(): [string, KnownServer][] {
    return [...this.servers]
  }
}

function boundedInfo({ name, version }: NonNullable<KnownServer['serverInfo']>): Pick<KnownServer, 'serverInfo'> {
  if (name.length + (version?.length ?? 0) > MAX_RESULT) return {}
  return { serverInfo: { name, ...(version !== undefined && { version }) } }
}
