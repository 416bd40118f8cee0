import type { HeaderList } from '../../shared/capture/events'
import type { CallRecord, SentRecord } from '../../shared/capture/record'

/** A field that was not recorded, since the HTTP connection adds it below what the gateway writes. */
export type AddedField = [name: string, value: string]

/** Idle connections of clients are kept so long, in seconds. */
const KEEP_ALIVE_SECONDS = 75

/** What the HTTP client adds to a request to a backend (RFC 9112 sections 3.2, 6 and 9.3). */
export function addedToRequest({ http, body }: SentRecord): AddedField[] {
  const added: AddedField[] = []
  if (URL.canParse(http.url)) added.push(['host', new URL(http.url).host])
  added.push(['connection', 'keep-alive'])
  if (body !== null) added.push(['content-length', body.clipped ? 'length of the body' : byteLength(body.text)])
  return missingFrom(http.headers, added)
}

/** What the HTTP server adds to an answer to the client. `startedAt`: Unix milliseconds of the capture's beginning. */
export function addedToResponse(record: CallRecord, startedAt: number): AddedField[] {
  const { commit } = record.response
  if (commit === null) return []
  const closes = valueOf(record.request?.http.headers ?? [], 'connection')?.toLowerCase() === 'close'
  const added: AddedField[] = [
    ['Date', new Date(startedAt + (record.receivedAt + commit.offset) / 1000).toUTCString()],
    ['Connection', closes ? 'close' : 'keep-alive'],
  ]
  if (!closes) added.push(['Keep-Alive', `timeout=${KEEP_ALIVE_SECONDS}`])
  if (valueOf(commit.headers, 'content-length') === undefined) added.push(['Transfer-Encoding', 'chunked'])
  return missingFrom(commit.headers, added)
}

function missingFrom(headers: HeaderList, added: readonly AddedField[]): AddedField[] {
  return added.filter(([name]) => valueOf(headers, name) === undefined)
}

function valueOf(headers: HeaderList, wanted: string): string | undefined {
  return headers.find(([name]) => name.toLowerCase() === wanted.toLowerCase())?.[1]
}

function byteLength(text: string): string {
  return String(new TextEncoder().encode(text).length)
}
