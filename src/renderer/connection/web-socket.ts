import type { Socket } from './socket-connection'

/** The browser's WebSocket as the connection sees it. */
export function openWebSocket(url: string): Socket {
  const inner = new WebSocket(url)
  const socket: Socket = {
    send: (text) => inner.send(text),
    close: () => inner.close(),
    onopen: null,
    onmessage: null,
    onclose: null,
  }
  inner.addEventListener('open', () => socket.onopen?.())
  inner.addEventListener('message', (event: MessageEvent<unknown>) => socket.onmessage?.({ data: event.data }))
  inner.addEventListener('close', (event) => socket.onclose?.({ code: event.code }))
  return socket
}
