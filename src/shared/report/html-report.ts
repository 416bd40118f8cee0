import type { CallFormat, ExportAbout } from '../capture/call-format'
import type { CaptureHeader, HeaderList } from '../capture/events'
import type { BodyText, CallRecord, ExchangeRecord } from '../capture/record'
import { findingsOf } from '../findings'
import { escapeHtml } from './html-text'
import { STYLE } from './html-style'

/** What one report has room for; the rest is counted in it. */
const MAX_CALLS = 5_000
const MAX_BODY = 40_000
const MAX_LINES = 500

/**
 * One HTML page with everything in it, for bug trackers: no scripts, nothing from elsewhere, and a policy that forbids both.
 * Every text of a capture is hostile, and goes through `escapeHtml`.
 */
export function htmlFormat(): CallFormat {
  return {
    most: MAX_CALLS,
    begin: (header, about) => head(header, about),
    call: (record) => callOf(record),
    end: (left) =>
      `${left === 0 ? '' : note(`${left} more calls are not in this report; cut the capture to see them.`)}</main></body></html>\n`,
  }
}

function head(header: CaptureHeader, about: ExportAbout): string {
  const part = about.calls === about.of ? '' : ` of ${about.of}`
  const rows: [string, string][] = [
    ['recorded', `${header.startedAt} by ${header.gateway.name} ${header.gateway.version}`],
    ['backends', header.backends.map(({ name, type, url }) => `${name} (${url ?? type})`).join(', ') || 'none'],
    ['calls', `${about.calls}${part}`],
    [
      'secrets',
      about.redacted ? 'tokens, request states and contents of files were taken out' : 'nothing was taken out',
    ],
    ['written', `${about.writtenAt} by Sluice ${about.version}`],
  ]
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>MCP calls of ${escapeHtml(header.startedAt)}</title>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="referrer" content="no-referrer">
<style>${STYLE}</style></head><body><main><h1>MCP calls</h1>
${table(rows)}
${about.notes.map(note).join('')}
`
}

function callOf(record: CallRecord): string {
  const { call, summary, request, response, exchanges, timeline } = record
  const { method, target, backend, outcome, endedAt, receivedAt } = summary
  const duration = endedAt === null ? 'open' : milliseconds(endedAt - receivedAt)
  const what = [method ?? '(no method)', target ?? ''].join(' ').trim()
  const tone = outcome === null || outcome === 'cancelled' ? 'warn' : /error/.test(outcome) ? 'bad' : 'good'
  const lines = timeline.slice(0, MAX_LINES)
  const more = timeline.length - lines.length
  return `<details id="call-${call}"><summary><span class="soft">${call}</span><span class="number wide">${milliseconds(receivedAt)}</span><bdi>${escapeHtml(what)}</bdi>
<bdi class="wide backend">${escapeHtml(backend ?? '')}</bdi><span class="${tone}">${escapeHtml(outcome ?? 'open')}</span><span class="number wide">${duration}</span></summary>
<div class="call">${annotation(summary.annotation)}${findings(record)}<h3>Timeline</h3><table>${lines.map(line).join('')}</table>${more > 0 ? note(`${more} more lines.`) : ''}
${request === null ? '' : section('Request, client leg', `${request.http.method} ${request.http.path}`, request.http.headers, [request.body])}
${exchanges.map(exchange).join('')}
${section(
  'Response, client leg',
  response.commit === null ? 'none' : `${response.commit.status} ${response.commit.form}`,
  response.commit?.headers ?? [],
  response.frames.map(({ body }) => body),
)}
</div></details>
`
}

/** What a reader has put on the call. */
function annotation(put: CallRecord['summary']['annotation']): string {
  if (put === null) return ''
  const words = [put.mark === null ? '' : `marked ${put.mark}`, put.pinned ? 'pinned' : ''].filter(Boolean).join(', ')
  return note([words, put.comment ?? ''].filter((text) => text !== '').join(': '))
}

function findings(record: CallRecord): string {
  return findingsOf(record)
    .map(({ severity, rule, message, spec, leg }) => {
      const tone = severity === 'error' ? 'bad' : 'warn'
      return `<p class="note"><span class="${tone}">${severity}</span> ${escapeHtml(`${rule}, ${leg} leg: ${message} (${spec})`)}</p>`
    })
    .join('')
}

function line({ offset, leg, kind, summary }: CallRecord['timeline'][number]): string {
  return `<tr><td class="number">${milliseconds(offset)}</td><td class="leg ${leg}">${leg}</td><td class="leg">${escapeHtml(kind)}</td><td><bdi>${escapeHtml(summary)}</bdi></td></tr>`
}

function exchange({ exchange: number, backend, sent, head: answer, frames }: ExchangeRecord): string {
  const name = `exchange ${number} with ${backend ?? 'a backend'}`
  const first = sent === null ? 'not recorded' : `${sent.http.method} ${sent.http.url}`
  const body = sent?.body === null || sent === null ? [] : [sent.body]
  return (
    section(`Request, ${name}`, first, sent?.http.headers ?? [], body) +
    section(
      `Answer, ${name}`,
      answer === null ? 'none' : String(answer.status),
      answer?.headers ?? [],
      frames.map(({ raw }) => raw),
    ) +
    (frames.some(({ bytes }) => bytes !== undefined)
      ? note('The answer is not valid UTF-8: U+FFFD stands for what is no text. The capture has its bytes.')
      : '')
  )
}

function section(title: string, first: string, headers: HeaderList, bodies: readonly BodyText[]): string {
  const fields = headers.map(([name, value]) => `${name}: ${value}`)
  let room = MAX_BODY
  const texts: string[] = []
  for (const body of bodies) {
    if (room <= 0) break
    texts.push(bodyText(body, room))
    room -= body.text.length
  }
  if (texts.length < bodies.length) texts.push(`… ${bodies.length - texts.length} more frames are in the capture`)
  const text = [[first, ...fields].join('\n'), ...texts].filter((one) => one !== '').join('\n\n')
  return `<h3>${escapeHtml(title)}</h3><pre>${escapeHtml(text)}</pre>`
}

function bodyText({ text, length, missing }: BodyText, room: number): string {
  if (missing !== undefined) return '(the text was not recorded)'
  const shown = text.slice(0, room)
  const rest = Math.max(length, text.length) - shown.length
  return rest > 0 ? `${shown}\n… ${rest} more characters are in the capture` : shown
}

function table(rows: readonly (readonly [string, string])[]): string {
  const cells = rows.map(([name, value]) => `<tr><th>${name}</th><td><bdi>${escapeHtml(value)}</bdi></td></tr>`)
  return `<table>${cells.join('')}</table>`
}

function note(text: string): string {
  return `<p class="note">${escapeHtml(text)}</p>`
}

function milliseconds(microseconds: number): string {
  const value = microseconds / 1_000
  return value >= 10_000 ? `${(value / 1_000).toFixed(2)} s` : `${value.toFixed(1)} ms`
}
