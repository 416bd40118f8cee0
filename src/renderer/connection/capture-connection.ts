import type { CommandName, Commands, DeskConnection } from '../../shared/api/contract'

const OF_CAPTURE: ReadonlySet<CommandName> = new Set([
  'calls.list',
  'call.events',
  'call.text',
  'call.annotate',
  'operation.calls',
  'calls.search',
  'findings.list',
])

/** The connection as one opened capture sees it: what is asked of calls is asked of this capture, and nothing moves. */
export function captureConnection(connection: DeskConnection, capture: string): DeskConnection {
  return {
    ...(connection.files === undefined ? {} : { files: connection.files }),
    command: <N extends CommandName>(name: N, request: Commands[N]['request']) =>
      connection.command(name, OF_CAPTURE.has(name) ? { ...request, capture } : request),
    openCall: () => () => undefined,
    onFeed: (name, listener) =>
      name === 'calls' || name === 'call' ? () => undefined : connection.onFeed(name, listener),
    onConnection: (listener) => connection.onConnection(listener),
  }
}
