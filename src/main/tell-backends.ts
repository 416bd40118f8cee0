import type { BackendHealth } from '../shared/capture/events'
import type { Backend } from './backends/backend'
import type { Notice } from './notice'

/** As much of the gateway as is needed to tell. */
export interface BackendsOfGateway {
  backends(): readonly Pick<Backend, 'name' | 'state'>[]
  onBackends(listener: () => void): () => void
}

const WORDS: Partial<Record<BackendHealth, string>> = { down: 'is down', 'needs-sign-in': 'wants credentials' }

/**
 * Says once that a backend cannot be used, and why, and once that it is there again. While it stays so, other reasons are
 * no news: each attempt may fail in its own words.
 */
export function tellBackends(gateway: BackendsOfGateway, onNotice: (notice: Notice) => void): () => void {
  const told = new Map<string, BackendHealth>()
  const tell = (): void => {
    const backends = gateway.backends()
    for (const name of told.keys()) if (!backends.some((one) => one.name === name)) told.delete(name)
    for (const { name, state } of backends) {
      const { health, reason } = state
      const words = WORDS[health]
      if (words !== undefined && told.get(name) !== health) {
        told.set(name, health)
        const why = reason === undefined ? '' : `: ${reason}`
        onNotice({ level: 'warning', text: `backend "${name}" ${words}${why}`, backend: name })
      } else if (health === 'ready' && told.delete(name)) {
        onNotice({ level: 'info', text: `backend "${name}" is there again`, backend: name })
      }
    }
  }
  tell()
  return gateway.onBackends(tell)
}
