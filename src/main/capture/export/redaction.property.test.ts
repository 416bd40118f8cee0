import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { CallScript } from '../../../../test/capture/call-script'
import { captureText, HEADER } from '../../../../test/capture/capture-text'
import { randomFrom, type Random } from '../../../../test/capture/random'
import type { CallEvent, CaptureEvent } from '../../../shared/capture/events'
import { exportRules } from '../../../shared/capture/export-profile'
import { harFormat } from '../../../shared/har/har-format'
import type { JsonObject, JsonValue } from '../../../shared/protocol/json-rpc'
import { htmlFormat } from '../../../shared/report/html-report'
import { jsonFormat } from '../../../shared/report/json-view'
import { openCapture } from '../opened/open-capture'
import { exportCalls } from './export-calls'
import { rewriteCapture } from './rewrite-capture'

const SECRET = 'hunter2hunter2'
const KEYS = ['password', 'Token', 'API_KEY', 'client_secret', 'requestState', 'mine']
const NAMES = {
  headers: ['X-Mine'],
  keys: ['mine'],
  paths: ['/params/arguments/*/pin', '/result/structuredContent/pin'],
}

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-secrets-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** JSON of any shape, with the secret behind secret keys at any depth, also in JSON that is text. */
function seeded(random: Random, depth = 0): JsonValue {
  const kind = random.below(depth > 3 ? 3 : 7)
  if (kind === 0) return random.below(1_000)
  if (kind === 1) return `text ${random.text()}`
  if (kind === 2) return null
  if (kind === 3) return Array.from({ length: random.below(4) }, () => seeded(random, depth + 1))
  if (kind === 4) return JSON.stringify(seeded(random, depth + 1))
  const object: JsonObject = { [random.text()]: seeded(random, depth + 1) }
  object[random.pick(KEYS)] = random.pick<JsonValue>([SECRET, [SECRET], { deep: SECRET }, `${SECRET}\n"quoted"`])
  return object
}

function seededCall(random: Random, call: number, firstSeq: number): CallEvent[] {
  const args: JsonObject = { any: { pin: SECRET, other: seeded(random) } }
  const headers: [string, string][] = [
    ['Authorization', `Bearer ${SECRET}`],
    ['X-Mine', SECRET],
    ['Mcp-Param-Pin', SECRET],
  ]
  const params = { name: 'tool', arguments: args, requestState: SECRET }
  const script = new CallScript({ call, params, headers }, firstSeq)
    .received()
    .routed()
    .sent(call)
    .head('text/event-stream', 200, call)
  const content = [
    { type: 'image', data: SECRET, mimeType: 'image/png' },
    { type: 'resource', resource: { uri: 'file:///x', text: SECRET } },
    { type: 'text', text: JSON.stringify({ password: SECRET }) },
  ]
  const answer: JsonObject = {
    jsonrpc: '2.0',
    id: 1,
    result: { content, structuredContent: { pin: SECRET }, extra: seeded(random) },
  }
  const spaced = JSON.stringify(answer, null, random.below(3))
  script.upstream(
    spaced
      .split('\n')
      .map((part) => `data: ${part}`)
      .join(random.pick(['\n', '\r\n', '\r'])),
    'event',
    call,
  )
  const offset = spaced.indexOf('1', spaced.indexOf('"id"'))
  const edits = [{ what: 'id' as const, at: '/id', was: '1', now: '"one"', offset }]
  script.committed().push({
    kind: 'response.frame',
    form: 'event',
    message: 'result',
    rawFrom: { seq: script.last - 1, edits },
    from: script.last - 1,
    edits,
  })
  const sealed = {
    version: 1 as const,
    backend: 'weather',
    endpoint: '/mcp',
    method: 'tools/call',
    target: 'tool',
    inner: SECRET,
    paramsDigest: 'd',
    callerDigest: null,
    operation: 'op',
    round: 1,
    issuedAt: 1,
    expiresAt: 2,
  }
  script.push({ kind: 'state.sealed', outer: SECRET, kid: 'k', sealed })
  script.push({
    kind: 'upstream.ended',
    exchange: call,
    reason: 'lost',
    detail: `GET http://h/?token=${SECRET} failed`,
  })
  return script.ended().events
}

describe('redacted exports', () => {
  it('hold no secret, in whatever shape it came and whatever is written', async () => {
    const random = randomFrom(20_260_828)
    const file = join(folder, 'c.ndjson')
    const events: CaptureEvent[] = []
    for (let call = 1; call <= 60; call++) events.push(...seededCall(random, call, events.length))
    events.push({
      seq: events.length + 1,
      at: 9,
      kind: 'backend.stderr',
      backend: 'b',
      text: `{"password":"${SECRET}"}`,
    })
    const backends = [{ name: 'weather', type: 'http', url: `http://user:${SECRET}@h/mcp?api_key=${SECRET}` }]
    await writeFile(file, captureText(events, { ...HEADER, backends }))

    const out = join(folder, 'out')
    const rules = exportRules(HEADER, NAMES)
    const report = await rewriteCapture(file, { to: out, replace: true, rulesOf: () => rules, select: null })
    expect(report).toMatchObject({ calls: 60, events: events.length, hints: [] })
    expect(await readFile(out, 'utf8')).not.toContain(SECRET)

    const capture = await openCapture(file)
    const redacted = await openCapture(out)
    for (const create of [harFormat, htmlFormat, jsonFormat]) {
      const to = join(folder, create.name)
      await exportCalls(capture, {
        format: create(),
        to,
        replace: false,
        inputs: [file],
        rules,
        select: () => true,
        version: '0',
        notes: [],
      })
      expect(await readFile(to, 'utf8')).not.toContain(SECRET)
    }
    // References still resolve to JSON.
    for (const { call } of redacted.index.list(0, 100).calls) {
      const frame = (await redacted.events(call)).find((event) => event.kind === 'response.frame')
      const text = await redacted.text(call, frame?.seq ?? 0)
      expect(JSON.parse('text' in text ? text.text : '')).toMatchObject({
        id: 'one',
        result: { structuredContent: { pin: '«redacted 16»' } },
      })
    }
    await capture.close()
    await redacted.close()
  })

  it('are identical when nothing is taken out, and when it is done twice', async () => {
    const random = randomFrom(7)
    const file = join(folder, 'c.ndjson')
    const events: CaptureEvent[] = []
    for (let call = 1; call <= 20; call++) events.push(...seededCall(random, call, events.length))
    await writeFile(file, captureText(events))
    const rewritten = async (from: string, to: string, redact: boolean): Promise<string> => {
      const rulesOf = redact ? () => exportRules(HEADER, NAMES) : null
      await rewriteCapture(from, { to: join(folder, to), replace: false, rulesOf, select: null })
      return readFile(join(folder, to), 'utf8')
    }
    expect(await rewritten(file, 'same', false)).toBe(await readFile(file, 'utf8'))
    const once = await rewritten(file, 'once', true)
    expect(await rewritten(join(folder, 'once'), 'twice', true)).toBe(once)
  })
})
