import { isProtocolHeader } from '../backends/protocol-headers'
import type { HeaderList } from '../../shared/capture/events'
import type { Call } from './call'

/**
 * The client's header fields that go on to a backend: `Mcp-Param-*` always (an intermediary must forward them,
 * transports/streamable-http "Custom headers"), `Via` always, others only when the backend's configuration names them.
 */
export function passedHeaders(call: Pick<Call, 'headers'>, passHeaders: ReadonlySet<string>): HeaderList {
  const passed: HeaderList = []
  for (const name in call.headers) {
    if (!name.startsWith('mcp-param-') && name !== 'via' && !passHeaders.has(name)) continue
    const value = call.headers[name]
    if (typeof value === 'string' && !isProtocolHeader(name)) passed.push([name, value])
  }
  return passed
}
