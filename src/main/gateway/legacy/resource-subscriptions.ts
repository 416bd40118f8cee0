import { isObject } from '../../../shared/protocol/json-rpc'
import type { Backend } from '../../backends/backend'
import type { Call } from '../call'
import type { ClientSession } from './client-session'

/** `resources/subscribe` and `resources/unsubscribe` of legacy clients for resources of modern backends. */
export class ResourceSubscriptions {
  /** Called when what a session wants of a backend changed. */
  constructor(readonly changed: (session: ClientSession, backend: Backend) => void) {}

  change(call: Call, session: ClientSession, backend: Backend): void {
    const { params, method } = call.request
    const uri = isObject(params) ? String(params.uri) : ''
    if (method === 'resources/subscribe') session.subscriptions.add(uri)
    else session.subscriptions.delete(uri)
    call.succeed('{}')
    this.changed(session, backend)
  }
}
