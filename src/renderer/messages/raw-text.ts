import type { HeaderList } from '../../shared/capture/events'
import type { BodyText, CallRecord, ExchangeRecord, QuestionRecord } from '../../shared/capture/record'
import { firstBytes, hexLines, sizeOfBase64 } from '../content/content-blocks'
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
  const backend = record.exchanges.map((exchange) => exchangeText(exchange, record.questions, find)).join('\n\n')
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
    const about = frame.kept ? { about: 'kept, the client was away' } : {}
    parts.push({
      offset: frame.offset,
      ...about,
      text: frame.form === 'event' ? `event: message\ndata: ${text}\n` : text,
    })
  }
  for (const { answer, by } of record.questions)
    if (answer !== null && by === 'gateway')
      parts.push({ offset: answer.offset, about: 'the answer, as the client posted it', text: find(answer.body) })
  for (const ping of response.pings) parts.push({ offset: ping.offset, text: ': ping\n' })
  if (record.ended !== null)
    parts.push({ offset: record.ended.offset, about: `${record.ended.outcome} by ${record.ended.by}`, text: '' })
  return join(parts)
}

function exchangeText(exchange: ExchangeRecord, questions: readonly QuestionRecord[], find: Find): string {
  const parts: Part[] = []
  const { sent, sentAgain, head, headsBefore, ended, frames } = exchange
  for (const each of sent === null ? sentAgain : [sent, ...sentAgain]) {
    const again = each.again === null ? '' : each.again === 'resume' ? ', to resume the stream' : ', once more'
    const about = `gateway → ${exchange.backend ?? 'backend'}${again}`
    const text = each.body === null ? '' : find(each.body)
    if (each.http.method === 'stdio') {
      parts.push({ offset: each.offset, about, text: `${text}\n` })
      continue
    }
    const body = each.body === null ? '' : `\n\n${text}`
    parts.push({
      offset: each.offset,
      about,
      text: `${each.http.method} ${each.http.url}\n${lines(each.http.headers)}${body}`,
    })
  }
  for (const each of head === null ? headsBefore : [...headsBefore, head]) {
    const about = `${exchange.backend ?? 'backend'} → gateway`
    parts.push({ offset: each.offset, about, text: `HTTP ${each.status}\n${lines(each.headers)}\n` })
  }
  for (const frame of frames)
    parts.push({
      offset: frame.offset,
      text: find(frame.raw) + (frame.form === 'body' ? '' : '\n') + dump(frame.bytes),
    })
  for (const { answer, exchange: asked } of questions) {
    if (answer === null || asked !== exchange.exchange) continue
    const about = `answer of the ${answer.by} → ${exchange.backend ?? 'backend'}`
    parts.push({ offset: answer.offset, about, text: `${find(answer.body)}\n` })
  }
  if (ended !== null) {
    const detail = ended.detail === null ? '' : `: ${ended.detail}`
    parts.push({ offset: ended.offset, about: `exchange ${ended.reason}${detail}`, text: '' })
  }
  return join(parts)
}

const MOST_DUMPED = 4_096

/** The bytes behind a text that is not valid UTF-8. */
function dump(base64: string | undefined): string {
  if (base64 === undefined) return ''
  const bytes = firstBytes(base64, MOST_DUMPED)
  const all = sizeOfBase64(base64) ?? 0
  const first = all > bytes.length ? `the first ${formatBytes(bytes.length)} of ${formatBytes(all)}` : 'as bytes'
  return `\n### not valid UTF-8; ${first}:\n${hexLines(bytes).join('\n')}`
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
