import type { HeaderList } from '../../../shared/capture/events'
import type { Backend, LegacySession } from '../../backends/backend'
import type { ClientSession } from './client-session'

/** Gives a client session its own session with a legacy backend. */
export type OpenUpstream = (session: ClientSession, backend: Backend, headers: HeaderList) => Promise<LegacySession>
