import type { WrittenAnnotation } from '../capture/annotation'

/**
 * HAR 1.2 (http://www.softwareishard.com/blog/har-12-spec/), as far as it is written here. Names that begin with `_` are
 * extensions; `_eventSourceMessages` and `_resourceType` are those of Chrome's DevTools, `_sluice` is ours.
 */
export interface Har {
  log: HarLog
}
export interface HarLog {
  version: '1.2'
  creator: { name: string; version: string }
  pages: HarPage[]
  entries: HarEntry[]
  comment?: string
}
export interface HarPage {
  id: string
  title: string
  startedDateTime: string
  pageTimings: Record<string, never>
}
export interface HarField {
  name: string
  value: string
}
export interface HarEntry {
  pageref: string
  startedDateTime: string
  /** Milliseconds, as all times. */
  time: number
  request: {
    method: string
    url: string
    httpVersion: string
    cookies: []
    headers: HarField[]
    queryString: HarField[]
    postData?: { mimeType: string; text: string; comment?: string }
    /** -1: not known. */
    headersSize: number
    bodySize: number
  }
  response: {
    /** 0: there was none. */
    status: number
    statusText: string
    httpVersion: string
    cookies: []
    headers: HarField[]
    content: { size: number; mimeType: string; text: string; encoding?: 'base64'; comment?: string }
    redirectURL: string
    headersSize: number
    bodySize: number
    _error?: string
  }
  cache: Record<string, never>
  timings: { blocked: -1; dns: -1; connect: -1; ssl: -1; send: number; wait: number; receive: number }
  _resourceType: 'eventsource' | 'fetch'
  /** The events of a stream, with their times in seconds since 1970. */
  _eventSourceMessages?: HarEvent[]
  _sluice: HarCall
  comment?: string
}
export interface HarEvent {
  time: number
  eventName: string
  eventId: string
  data: string
}

/** Which call an entry is of. */
export interface HarCall {
  leg: 'client' | 'backend'
  call: number
  /** On the backend leg. */
  exchange?: number
  backend: string | null
  endpoint: string
  method: string | null
  name: string | null
  operation: string | null
  round: number
  outcome: string | null
  endedBy: string | null
  /** What a reader has put on the call. */
  annotation?: WrittenAnnotation
}
