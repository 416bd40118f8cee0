import type { HeaderList } from '../../shared/capture/events'
import type { BodyText, CallRecord, ExchangeRecord } from '../../shared/capture/record'
import { formatBytes, formatOffset } from '../text/format'

export interface RawTexts {
  client: string
  backend: string
  /** Events whose text is not here whole. */
  cut: number[]
}

type Find = (body: BodyText) => string

/** Everything that crossed, per leg, as it was on the wire; lines that begin with `###` are ours. */
export function rawTexts(record: CallRecord, whole: (seq: number) => string | undefined): RawTexts {
  const cut: number[] = []
  const find: Find = (body) => {
    const loaded = whole(body.seq)
    if (loaded !== undefined) return loaded
    if (!body.clipped && body.missing === undefined) return body.text
    cut.push(body.seq)
    return `${body.text}\n### ${formatBytes(body.text.length)} of ${formatBytes(body.length)}; load whole to see the rest`
  }
  const client = clientText(record, find)
  const backend = record.exchanges.map((exchange) => exchangeText(exchange, find)).join('\n\n')
  return { client, backend, cut: [...new Set(cut)] }
}

function clientText(record: CallRecord, find: Find): string {
  const parts: Part[] = []
  const { request, response } = record
  if (request !== null) {
    const { method, path, headers } = request.http
    parts.push({
      offset: 0,
      about: 'client → gateway',
      text: `${method} ${path}\n${lines(headers)}\n\n${find(request.body)}`,
    })
  }
  const { commit } = response
  if (commit !== null) {
    parts.push({
      offset: commit.offset,
      about: 'gateway → client',
      text: `HTTP ${commit.status}\n${lines(commit.headers)}\n`,
    })
  }
  for (const frame of response.frames) {
    const text = find(frame.body)
    parts.push({ offset: frame.offset, text: frame.form === 'event' ? `event: message\ndata: ${text}\n` : text })
  }
  for (const ping of response.pings) parts.push({ offset: ping.offset, text: ': ping\n' })
  if (record.ended !== null)
    parts.push({ offset: record.ended.offset, about: `${record.ended.outcome} by ${record.ended.by}`, text: '' })
  return join(parts)
}

function exchangeText(exchange: ExchangeRecord, find: Find): string {
  const parts: Part[] = []
  const { sent, head, ended, frames } = exchange
  if (sent !== null) {
    const body = sent.body === null ? '' : `\n\n${find(sent.body)}`
    const about = `gateway → ${exchange.backend ?? 'backend'}`
    parts.push({
      offset: sent.offset,
      about,
      text: `${sent.http.method} ${sent.http.url}\n${lines(sent.http.headers)}${body}`,
    })
  }
  if (head !== null) {
    const about = `${exchange.backend ?? 'backend'} → gateway`
    parts.push({ offset: head.offset, about, text: `HTTP ${head.status}\n${lines(head.headers)}\n` })
  }
  for (const frame of frames)
    parts.push({ offset: frame.offset, text: find(frame.raw) + (frame.form === 'body' ? '' : '\n') })
  if (ended !== null) {
    const detail = ended.detail === null ? '' : `: ${ended.detail}`
    parts.push({ offset: ended.offset, about: `exchange ${ended.reason}${detail}`, text: '' })
  }
  return join(parts)
}

/** A piece of a leg: when, what we say of it, and its text. */
interface Part {
  offset: number
  about?: string
  text: string
}

function join(parts: Part[]): string {
  return parts
    .map((part, index) => ({ ...part, index }))
    .sort((a, b) => a.offset - b.offset || a.index - b.index)
    .map(({ offset, about, text }) => `### ${formatOffset(offset)}${about === undefined ? '' : ` · ${about}`}\n${text}`)
    .join('\n')
}

function lines(headers: HeaderList): string {
  return headers.map(([name, value]) => `${name}: ${value}`).join('\n')
}
