import type { HeaderList } from '../../shared/capture/events'
import type { HttpConnection } from './http-connection'
import type { ResponseSink } from './http-response'
import { endedParts, PartQueue } from './part-queue'
import type { CancelSignal } from './cancel-signal'

export interface PostOptions {
  method?: 'POST' | 'DELETE'
  headers: HeaderList
  body?: string
  /** On the same origin; the connection's own URL unless given. */
  url?: URL
  signal: CancelSignal
  /** Looks at the status and the last text of a refusal; true when it shows that the backend is of the other era. */
  wrongEra?(status: number, text: string): boolean
}

/** One request whose answer is all there is to it: closing it is its end. */
export function postParts(http: HttpConnection, options: PostOptions): PartQueue {
  const { method = 'POST', headers, body, signal } = options
  if (signal.aborted) return endedParts('cancelled', 'cancelled before it was sent')
  const parts = new PartQueue({
    pause: () => response.pause(),
    resume: () => response.resume(),
    abandon: () => response.cancel(),
  })
  parts.push({ kind: 'sent', method, url: options.url?.href ?? http.url, headers })
  const cancel = (): void => response.cancel()
  let status = 0
  let lastText = ''
  const path = options.url === undefined ? undefined : options.url.pathname + options.url.search
  const sink: ResponseSink = {
    head: (code, fields) => {
      status = code
      parts.push({ kind: 'head', status, headers: fields })
    },
    piece: (piece) => {
      if (status >= 400 && piece.form !== 'comment') lastText = piece.data ?? ''
      parts.push({ kind: 'frame', ...piece })
    },
    ended: (reason, detail) => {
      signal.removeEventListener('abort', cancel)
      parts.end(reason, detail, reason === 'complete' && options.wrongEra?.(status, lastText) === true)
    },
  }
  const response = http.send(method, headers, body, sink, path)
  signal.addEventListener('abort', cancel, { once: true })
  return parts
}
