import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { CallScript, plainCall, progressCall, result } from '../capture/call-script'
import { captureText, HEADER } from '../capture/capture-text'

const root = fileURLToPath(new URL('../../', import.meta.url))

let folder: string
let file: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-cli-'))
  file = join(folder, 'c.ndjson')
})
afterEach(() => rm(folder, { recursive: true, force: true }))

interface Done {
  code: number
  stdout: string
  stderr: string
}

async function sluice(...given: string[]): Promise<Done> {
  const args = ['--import', 'tsx', join('src', 'main', 'cli', 'sluice.ts'), ...given]
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      args,
      { cwd: root, env: { PATH: process.env.PATH, HOME: folder } },
      (error, stdout, stderr) => resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    )
  })
}

const SECRET = 'hunter2-hunter2'
/** Three calls: one with secrets, one of another backend, one with a finding. */
const EVENTS = [
  ...plainCall({ params: { name: 'login', arguments: { password: SECRET, city: 'Bern' } } }),
  ...progressCall({ call: 2, backend: 'archive', operation: 'op-2' }, 8),
  ...new CallScript({ call: 3, operation: 'op-3' }, 30).received().routed().sent().head().event({ no: 1 }).ended()
    .events,
]

describe('sluice capture', () => {
  it('says what a capture is about, also of one that is torn and broken', async () => {
    await writeFile(
      file,
      captureText([...EVENTS, '{"seq":99,"at":1,"kind":"call.received"}', 'nonsense\u001b[31m', '{"torn']),
    )
    const text = await sluice('capture', 'info', file)
    expect(text).toMatchObject({ code: 0, stderr: '' })
    expect(text.stdout).toContain('calls        3')
    expect(text.stdout).toContain('2 lines are no events')
    expect(text.stdout).toContain('The last line is torn')
    expect(text.stdout).not.toContain('\u001b')
    const { stdout } = await sluice('capture', 'info', file, '--json')
    expect(JSON.parse(stdout)).toMatchObject({
      calls: 3,
      outcomes: { result: 3 },
      backends: { weather: 2, archive: 1 },
      notes: { badLines: 2, torn: true, examples: [/line 31/, /line 32/].map((one) => expect.stringMatching(one)) },
    })
    expect((await sluice('capture', 'verify', file)).code).toBe(1)
  }, 60_000)

  it('says of other files what they are and what to do', async () => {
    await writeFile(file, '{ "log": {"version": "1.2", "entries": []} }')
    expect(await sluice('capture', 'info', file)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/HAR.*import/),
    })
    await writeFile(file, captureText([], { ...HEADER, version: 2 as 1 }))
    expect(await sluice('capture', 'info', file)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/newer Sluice/),
    })
    const dash = await sluice('capture', 'info', '-')
    expect(dash).toMatchObject({ code: 2, stderr: expect.stringMatching(/cannot come from standard input/) })
    const out = await sluice('capture', 'redact', file, '--out', '-')
    expect(out).toMatchObject({ code: 2, stderr: expect.stringMatching(/cannot go to standard output/) })
    expect(await sluice('capture', 'info')).toMatchObject({ code: 2, stderr: expect.stringMatching(/missing.*file/) })
  }, 60_000)

  it('cuts calls out, byte for byte, and never over another file', async () => {
    await writeFile(file, captureText(EVENTS))
    const out = join(folder, 'part.ndjson')
    const cut = await sluice('capture', 'cut', file, '--only', 'backend:archive', '--out', out)
    expect(cut).toMatchObject({ code: 0, stderr: '' })
    expect(await readFile(out, 'utf8')).toBe(captureText(EVENTS.slice(8, 8 + 15), { ...HEADER, excerpt: true }))
    expect((await stat(out)).mode & 0o777).toBe(0o600)
    expect((await sluice('capture', 'verify', out)).stdout).toContain('intact, 15 events')
    const again = await sluice('capture', 'cut', file, '--calls', '2-', '--out', out)
    expect(again).toMatchObject({ code: 2, stderr: expect.stringMatching(/there already.*--force/) })
    const none = await sluice('capture', 'cut', file, '--only', 'nokey:1', '--out', out, '--force')
    expect(none).toMatchObject({ code: 2, stderr: expect.stringMatching(/no key "nokey"/) })
    const itself = await sluice('capture', 'cut', file, '--calls', '1', '--out', file, '--force')
    expect(itself).toMatchObject({ code: 2, stderr: expect.stringMatching(/what is read from/) })
    expect(await readFile(out, 'utf8')).toContain('archive')
  }, 60_000)

  it('exports without secrets unless they are asked for, and warns of what looks like one', async () => {
    const jwt = `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NSJ9.${'s'.repeat(30)}`
    const talkative = plainCall({ call: 4, params: { name: 'say', arguments: { text: jwt } } }, 100)
    await writeFile(file, captureText([...EVENTS, ...talkative]))
    const out = join(folder, 'shared.ndjson')
    const exported = await sluice('capture', 'export', file, '--out', out, '--path', '/params/arguments/city')
    expect(exported.code).toBe(0)
    expect(exported.stderr).toMatch(
      /warning[^]*1 × JSON Web Token, first in call 4|2 × JSON Web Token, first in call 4/,
    )
    const text = await readFile(out, 'utf8')
    expect(text).not.toContain(SECRET)
    expect(text).not.toContain('Bern')
    const whole = await sluice('capture', 'export', file, '--out', out, '--force', '--with-sensitive-data')
    expect(whole.code).toBe(0)
    expect(await readFile(out, 'utf8')).toBe(await readFile(file, 'utf8'))
  }, 60_000)
})

describe('sluice findings', () => {
  it('gives text, JSON and SARIF, and fails on errors', async () => {
    await writeFile(file, captureText(EVENTS))
    const text = await sluice('findings', file)
    expect(text.code).toBe(1)
    // Each rule is explained once, whoever broke it how often.
    expect(text.stdout.match(/^not-json-rpc \(\d+ ×\): .*\n {2}\S.*\n/gm)).toHaveLength(1)
    expect(text.stdout).toMatch(/^ {2}→ \S/m)
    expect(text.stdout).toMatch(/^call 3 {2}tools\/call forecast\n {2}error {2}not-json-rpc {2}backend leg /)
    const json = await sluice('findings', file, '--json', '--fail-on', 'never')
    expect(json.code).toBe(0)
    const lines = json.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(lines[0]).toMatchObject({ call: 3, seq: 35, line: 29, rule: 'not-json-rpc', severity: 'error' })
    expect(lines.at(-1)).toMatchObject({ summary: { calls: 1 } })
    const sarif = await sluice('findings', file, '--sarif')
    expect(JSON.parse(sarif.stdout)).toMatchObject({
      version: '2.1.0',
      runs: [
        { results: [{ ruleId: 'not-json-rpc', locations: [{ physicalLocation: { region: { startLine: 29 } } }] }] },
      ],
    })
  }, 60_000)

  it('finds nothing where nothing is wrong', async () => {
    await writeFile(
      file,
      captureText([
        ...plainCall(),
        ...new CallScript({ call: 2 }, 8)
          .received()
          .routed()
          .sent()
          .head('application/json')
          .upstream(JSON.stringify(result()), 'body')
          .ended().events,
      ]),
    )
    expect(await sluice('findings', file)).toEqual({ code: 0, stdout: 'no findings\n', stderr: '' })
  }, 60_000)

  it('takes the other rounds of an operation with a numbered call, and refuses numbers that there are not', async () => {
    const rounds = [...plainCall({ operation: 'op' }), ...plainCall({ call: 2, operation: 'op' }, 8)]
    await writeFile(file, captureText([...rounds, ...plainCall({ call: 3, operation: 'op-3' }, 20)]))
    const out = join(folder, 'out.ndjson')
    const cut = await sluice('capture', 'cut', file, '--calls', '2', '--out', out)
    expect(cut).toMatchObject({ code: 0, stderr: '' })
    expect(cut.stdout).toContain('2 calls')
    const none = await sluice('capture', 'cut', file, '--calls', '9', '--out', join(folder, 'none'))
    expect(none.code).toBe(2)
    expect(none.stderr).toContain('no call has these numbers')
  })
})
