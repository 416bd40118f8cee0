import { isObject, type JsonValue } from '../protocol/json-rpc'
import type { CallReceived } from './events'
import { readMessage, type Message } from './message'
import { shorten } from './shorten'
import { MAX_STREAM_METHODS, MAX_STREAM_URIS, type StreamSummary } from './summary'

const ACKNOWLEDGED = 'notifications/subscriptions/acknowledged'
const MAX_MEMBERS = 20
const OTHERS = '…'

/** What a request opens, when it opens a stream of subscriptions. */
export function streamOf(event: CallReceived): StreamSummary | null {
  const { http, method, body } = event
  if (method === 'subscriptions/listen') {
    const { asked, uris, uriCount } = membersOf(readMessage(body).params?.notifications)
    return { ...EMPTY, kind: 'listen', asked, uris, uriCount, flowed: {} }
  }
  if (http.method !== 'GET' || event.era !== 'legacy') return null
  const resumed = http.headers.some(([name]) => name.toLowerCase() === 'last-event-id')
  return { ...EMPTY, kind: 'session', asked: [], uris: [], flowed: {}, resumed }
}

const EMPTY = { honoured: null, uriCount: 0, lastAt: null, resumed: false }

/** Takes in what went to the client on its stream. */
export function countFlow(stream: StreamSummary, message: Message, at: number): void {
  const { method } = message
  if (method === undefined) return
  if (method === ACKNOWLEDGED) {
    const { asked, uris, uriCount } = membersOf(message.params?.notifications)
    Object.assign(stream, { honoured: asked, uris, uriCount })
    return
  }
  const name = shorten(method)
  const known = Object.hasOwn(stream.flowed, name) || Object.keys(stream.flowed).length < MAX_STREAM_METHODS
  const key = known ? name : OTHERS
  stream.flowed[key] = (Object.hasOwn(stream.flowed, key) ? (stream.flowed[key] ?? 0) : 0) + 1
  stream.lastAt = at
}

/** The members of a filter that are on, and the resources it names. */
function membersOf(filter: JsonValue | undefined): { asked: string[]; uris: string[]; uriCount: number } {
  if (!isObject(filter)) return { asked: [], uris: [], uriCount: 0 }
  const on = Object.entries(filter).filter(([, value]) => value !== undefined && value !== false && value !== null)
  const lists = on.flatMap(([, value]) => (Array.isArray(value) ? value : []))
  const uris = lists.filter((uri) => typeof uri === 'string')
  return {
    asked: on.slice(0, MAX_MEMBERS).map(([name]) => shorten(name)),
    uris: uris.slice(0, MAX_STREAM_URIS).map((uri) => shorten(uri)),
    uriCount: uris.length,
  }
}
