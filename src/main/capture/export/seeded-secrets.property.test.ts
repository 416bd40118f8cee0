import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { CallScript } from '../../../../test/capture/call-script'
import { captureText, HEADER } from '../../../../test/capture/capture-text'
import { randomFrom, type Random } from '../../../../test/capture/random'
import type { CallEvent, CaptureEvent, CaptureHeader } from '../../../shared/capture/events'
import { exportRules } from '../../../shared/capture/export-profile'
import { redactEvent, RedactionMemory } from '../../../shared/capture/redaction'
import { redactionRules } from '../../../shared/capture/redaction-rules'
import { harFormat } from '../../../shared/har/har-format'
import { htmlFormat } from '../../../shared/report/html-report'
import { jsonFormat } from '../../../shared/report/json-view'
import { openCapture } from '../opened/open-capture'
import { exportCalls } from './export-calls'
import { rewriteCapture } from './rewrite-capture'

const SECRET = 'hunter2hunter2'

/** How people and programs write a secret, with the name under which it is known; what is behind it varies. */
const SHAPES: readonly ((secret: string) => string)[] = [
  (secret) => `Authorization: Bearer ${secret}`,
  (secret) => `authorization: ${secret}`,
  (secret) => `> Cookie: a=${secret}; b=${secret}`,
  (secret) => `curl -H 'X-Api-Key: ${secret}' http://h/`,
  (secret) => `used bearer ${secret} there`,
  (secret) => `used Basic ${secret}== there`,
  (secret) => `https://user:${secret}@example.com/a`,
  (secret) => `https://example.com/a?access_token=${secret}&b=1`,
  (secret) => `/callback#id_token=${secret}`,
  (secret) => `grant_type=x&client_secret=${secret}`,
  (secret) => `api_key=${secret}`,
  (secret) => `token="${secret}"`,
  (secret) => `{'Authorization': 'Bearer ${secret}'}`,
  (secret) => JSON.stringify({ a: [{ authorization: `Bearer ${secret}` }] }),
  (secret) => JSON.stringify({ a: JSON.stringify({ 'x-api-key': secret }) }),
  (secret) => `MY_API_KEY=${secret}`,
]
/** What only an export takes for a secret. */
const NAMED: readonly ((secret: string) => string)[] = [
  (secret) => `password: ${secret}`,
  (secret) => `Password = '${secret}'`,
  (secret) => `login --password ${secret} --force`,
  (secret) => `<password>${secret}</password>`,
  (secret) => `GITHUB_TOKEN=${secret}`,
  (secret) => `{'private_key': {'pem': '${secret}'}}`,
  (secret) => JSON.stringify({ token: { deep: [secret] } }),
  (secret) => JSON.stringify({ text: `{"refresh_token":"${secret}"}` }),
  (secret) => `--x\r\nContent-Disposition: form-data; name="password"\r\n\r\n${secret}\r\n--x--`,
]

const within = (random: Random, text: string): string =>
  random.pick([text, `failed: ${text}`, `${text} was refused`, `see ${text}, please`, `a\n${text}\nb`])

/** A call that says `text` in every place that a capture has. */
function seeded(random: Random, call: number, seq: number, say: () => string): CallEvent[] {
  const line = (): string => {
    const text = say()
    return text.includes('form-data') ? line() : text.replaceAll(/[\r\n]+/g, ' ')
  }
  const headers: [string, string][] = [
    ['Authorization', `Bearer ${SECRET}`],
    ['Referer', line()],
    ['X-Note', line()],
  ]
  const path = `/mcp?access_token=${SECRET}`
  const params = { name: 'tool', arguments: { query: say(), list: [say()] } }
  const body = [undefined, say(), `{"torn": ${JSON.stringify(say()).slice(0, -1)}`][random.below(3)]
  const script = new CallScript({ call, params, headers, ...(body !== undefined && { body }) }, seq)
    .received({
      http: { method: 'POST', path, headers },
      client: { name: line(), version: '1' },
      method: body === undefined ? 'tools/call' : line(),
    })
    .routed({ edits: [{ what: 'header', at: 'Referer', was: line(), now: line() }] })
  const url = `http://user:${SECRET}@127.0.0.1/mcp?api_key=${SECRET}`
  const text = random.pick([JSON.stringify({ params: { query: say() } }), say()])
  script.push({
    kind: 'upstream.sent',
    exchange: call,
    backend: 'weather',
    http: { method: 'POST', url, headers },
    body: text,
  })
  script.push({ kind: 'upstream.head', exchange: call, status: 401, headers })
  const message = (words: string): string =>
    JSON.stringify({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: words } })
  script.upstream(line(), 'comment', call)
  script.upstream(`event: ${line()}\nid: ${line()}\n${line()}\ndata: ${message(say())}`, 'event', call)
  script.upstream(`data: ${line()}`, 'event', call)
  script.upstream(say(), 'body', call)
  script.upstream(message(say()), 'line', call)
  script.push({ kind: 'response.withheld', from: script.last, method: line(), reason: 'not-json-rpc', detail: say() })
  script.push({ kind: 'request.answered', by: 'client', raw: JSON.stringify({ result: { content: { note: say() } } }) })
  const result = { content: [{ type: 'text', text: say() }], structuredContent: { note: say() } }
  script.event({ jsonrpc: '2.0', id: 1, result }, call).committed()
  script.frame({ jsonrpc: '2.0', id: 1, result }, 'result')
  script.push({
    kind: 'state.refused',
    outer: 'outer',
    reason: 'request_mismatch',
    differs: { field: 'target', sealed: `https://h/?token=${SECRET}`, now: say() },
  })
  script.push({ kind: 'call.annotated', mark: 'red', comment: say() })
  script.push({ kind: 'upstream.ended', exchange: call, reason: 'lost', detail: say() })
  script.push({
    kind: 'call.ended',
    outcome: 'error',
    by: 'gateway',
    detail: say(),
    error: { code: -32603, message: say() },
  })
  return script.events
}

function seededCapture(random: Random, calls: number, say: () => string): [CaptureHeader, CaptureEvent[]] {
  const events: CaptureEvent[] = []
  for (let call = 1; call <= calls; call++) events.push(...seeded(random, call, events.length, say))
  const push = (event: { text?: string; result?: string; reason?: string; serverInfo?: { name: string } }): void => {
    const kind = event.result === undefined ? 'backend.stderr' : 'backend.probed'
    events.push({ seq: events.length + 1, at: 1_000_000, kind, backend: 'weather', ...event })
  }
  for (let count = 0; count < 40; count++) {
    push({ text: say() })
    push({ result: JSON.stringify({ instructions: say() }), serverInfo: { name: say() }, reason: say() })
  }
  const url = `http://user:${SECRET}@h/mcp?api_key=${SECRET}`
  events.push({ seq: events.length + 1, at: 1_000_000, kind: 'capture.lost', events: 1, bytes: 1, reason: say() })
  const backends = [{ name: 'weather', type: 'http', url }]
  return [{ ...HEADER, backends, imported: say() }, events]
}

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-seeded-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** The texts around the secrets that are left, to see which shape they have. */
const left = (text: string): string[] =>
  [...text.matchAll(new RegExp(`.{0,60}${SECRET}.{0,10}`, 'g'))].slice(0, 5).map(([found]) => found)

describe('secrets that are written as people and programs write them', () => {
  it('are in no export, whatever place and shape they had', async () => {
    const random = randomFrom(42)
    const shapes = [...SHAPES, ...NAMED]
    const [header, events] = seededCapture(random, 60, () => within(random, random.pick(shapes)(SECRET)))
    const file = join(folder, 'c.ndjson')
    await writeFile(file, captureText(events, header))
    const rules = exportRules(header)
    // Comments of a reader stand beside the file.
    const annotated = await openCapture(file)
    for (const call of [1, 2, 3])
      await annotated.annotate(call, { mark: null, pinned: true, comment: random.pick(shapes)(SECRET) })
    await annotated.close()
    const out = join(folder, 'capture')
    const report = await rewriteCapture(file, { to: out, replace: false, rulesOf: () => rules, select: null })
    expect(report).toMatchObject({ calls: 60, events: events.length + 3, hints: [] })
    const first = await readFile(out, 'utf8')
    expect(left(first)).toEqual([])
    const again = join(folder, 'again')
    await rewriteCapture(out, { to: again, replace: false, rulesOf: () => rules, select: null })
    expect(await readFile(again, 'utf8')).toBe(first)

    const capture = await openCapture(file)
    for (const create of [harFormat, htmlFormat, jsonFormat]) {
      const to = join(folder, create.name)
      const options = { to, replace: false, inputs: [file], rules, version: '0', notes: [] }
      const { calls } = await exportCalls(capture, { ...options, format: create(), select: () => true })
      expect(calls).toBe(60)
      expect(left(await readFile(to, 'utf8'))).toEqual([])
    }
    await capture.close()
  })

  it('do not reach a capture when they are credentials, with nothing configured', () => {
    const random = randomFrom(43)
    const [, events] = seededCapture(random, 60, () => within(random, random.pick(SHAPES)(SECRET)))
    const memory = new RedactionMemory()
    const rules = redactionRules()
    const written = events.map((event) => JSON.stringify(redactEvent(event, rules, memory))).join('\n')
    expect(left(written)).toEqual([])
  })
})
