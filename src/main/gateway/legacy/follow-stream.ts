import type { ServerResponse } from 'node:http'
import type { ClientSession } from './client-session'
import type { StoredEvent } from './event-store'

const SSE_HEAD = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
}

const MAX_UNREAD_BYTES = 8_388_608

export interface FollowOptions {
  /** The stream of the session to follow when no event id says which. */
  standalone: string
  lastEventId: string | undefined
  pingIntervalMs: number
}

/** Hears what is sent on a followed stream, and who ended it. */
export interface FollowObserver {
  frame(event: StoredEvent): void
  ping(): void
  end(by: 'client' | 'gateway'): void
}

/**
 * Answers a GET of a session: its own stream, or, with `Last-Event-ID`, what a broken stream missed and then what follows
 * on it (2025-11-25 basic/transports "Resumability and Redelivery"). The event id must be known.
 */
export function followStream(
  response: ServerResponse,
  session: ClientSession,
  { standalone, lastEventId, pingIntervalMs }: FollowOptions,
  observer: FollowObserver,
): void {
  const missed = lastEventId === undefined ? undefined : session.store.after(lastEventId)
  response.writeHead(200, SSE_HEAD)
  response.flushHeaders()
  let ended = false
  let unfollow: () => void = () => undefined
  let forget: () => void = () => undefined
  const end = (by: 'client' | 'gateway'): void => {
    if (ended) return
    ended = true
    clearInterval(timer)
    unfollow()
    forget()
    observer.end(by)
    response.end()
  }
  const send = (event: StoredEvent): void => {
    const { id, text, last } = event
    if (text !== '') {
      observer.frame(event)
      response.write(`id: ${id}\nevent: message\ndata: ${text.replace(/\r\n|\r|\n/g, '\ndata: ')}\n\n`)
    }
    // What a client does not read it can fetch again with the id of the last event that it has.
    if (last || response.writableLength > MAX_UNREAD_BYTES) end('gateway')
  }
  const timer = setInterval(() => {
    response.write(': ping\n\n')
    observer.ping()
  }, pingIntervalMs)
  unfollow = session.store.follow(missed?.stream ?? standalone, { event: send, replaced: () => end('gateway') })
  response.on('close', () => end('client'))
  forget = session.onClose(() => end('gateway'))
  for (const event of missed?.events ?? []) send(event)
}
