import type { DeskConnection } from '../../shared/api/contract'
import { takeToken } from './access-token'
import { SocketConnection } from './socket-connection'
import { openWebSocket } from './web-socket'

declare global {
  interface Window {
    /** Put there by the preload script when the desk runs in Electron. */
    sluice?: DeskConnection
  }
}

/** The carrier that this page was opened with: the preload bridge in Electron, else the loopback WebSocket. */
export function chooseConnection(onUnauthorized: () => void): DeskConnection {
  if (window.sluice !== undefined) return window.sluice
  const url = `${window.location.protocol === 'https:' ? 'wss' : 'ws'}://${window.location.host}/desk`
  return new SocketConnection({
    token: takeToken(window),
    connect: () => openWebSocket(url),
    onUnauthorized,
    schedule: (task, delayMs) => {
      window.setTimeout(task, delayMs)
    },
  })
}
