import { chmod, link, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command } from 'commander'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { openCapture } from '../../src/main/capture/opened/open-capture'
import { createRecorder } from '../../src/main/capture/recorder'
import { addReplayCommand } from '../../src/main/cli/replay'
import { createGateway } from '../../src/main/gateway/gateway'
import { noNotes } from '../../src/shared/capture/notes'
import { CallScript } from '../capture/call-script'
import { captureText } from '../capture/capture-text'
import { configuration, keys } from '../gateway/running-gateway'
import { startStub, type Stub } from '../peers/stub-backend'
import { serve, text, type Offer } from '../peers/scripted-server'
import { ask, call } from '../replay/mocking'
import { asUser } from '../peers/as-user'

let folder: string
let server: Stub

const weather = (unit: string): Offer => ({
  tools: {
    forecast: {
      descriptor: { annotations: { readOnlyHint: true } },
      call: ({ params }, reply) => reply.result(text(`${JSON.stringify(params.arguments)} in ${unit}`)),
    },
    book: { call: (_request, reply) => reply.result(text('booked')) },
  },
})

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-replay-test-'))
  server = await startStub(serve(weather('C')))
  await writeFile(file('sluice.json'), JSON.stringify({ mcpServers: { weather: { url: server.url } } }))
  await writeFile(file('down.json'), JSON.stringify({ mcpServers: { weather: { url: 'http://127.0.0.1:9/mcp' } } }))
  await record('reads.ndjson', ['Oslo', 'Bergen'], false)
  await record('books.ndjson', ['Oslo'], true)
})
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

const file = (name: string): string => join(folder, name)

async function record(name: string, cities: string[], books: boolean): Promise<void> {
  const header = { gateway: { name: 'sluice', version: '0.0.0-test' }, backends: [{ name: 'weather', type: 'http' }] }
  const recorder = createRecorder({ file: file(name), header, redaction: { headers: [], keys: [] } })
  const settings = { configuration: configuration({ weather: server }), stateKeys: keys(), version: '0.0.0-test' }
  const gateway = createGateway({ ...settings, tap: recorder })
  await gateway.listen()
  for (const city of cities) await ask(`${gateway.base}/mcp`, call('weather__forecast', { city }))
  if (books) await ask(`${gateway.base}/mcp`, call('weather__book'))
  await gateway.close(0)
  await recorder.close()
}

/** The command in this process: what it prints, and the code that it would exit with. */
async function sluice(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const printed = { stdout: '', stderr: '' }
  const log = vi.spyOn(console, 'log').mockImplementation((text: string) => void (printed.stdout += `${text}\n`))
  const error = vi.spyOn(console, 'error').mockImplementation((text: string) => void (printed.stderr += `${text}\n`))
  const program = new Command()
  addReplayCommand(program)
  try {
    await program.parseAsync([...args, '--data', file('data')], { from: 'user' })
    return { code: Number(process.exitCode ?? 0), ...printed }
  } finally {
    process.exitCode = undefined
    log.mockRestore()
    error.mockRestore()
  }
}

const replay = (capture: string, ...more: string[]) =>
  sluice('replay', file(capture), '--config', file('sluice.json'), ...more)
const lines = (stdout: string) =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)

describe('sluice replay', () => {
  it('exits with 0 when nothing differs', async () => {
    server.script(serve(weather('C')))
    const { code, stdout, stderr } = await replay('reads.ndjson', '--json')
    expect(stderr).toBe('')
    expect(lines(stdout)).toMatchObject([{ event: 'summary', total: 2, same: 2, different: 0, failed: 0, notSent: 0 }])
    expect(code).toBe(0)
  })

  it('exits with 1 when something does: a difference a line, last a summary', async () => {
    server.script(serve(weather('F')))
    const { code, stdout } = await replay('reads.ndjson', '--json', '--junit', file('junit.xml'))
    const [first, second, summary] = lines(stdout)
    expect(first).toEqual({
      call: 1,
      name: 'forecast',
      path: '/result/content/0/text',
      was: '{"city":"Oslo"} in C',
      now: '{"city":"Oslo"} in F',
    })
    expect(second).toMatchObject({ call: 2 })
    expect(summary).toMatchObject({ event: 'summary', same: 0, different: 2, groups: [{ calls: 2 }] })
    expect(await readFile(file('junit.xml'), 'utf8')).toContain('tests="2" failures="2"')
    expect((await stat(file('junit.xml'))).mode & 0o777).toBe(0o600)
    expect(code).toBe(1)
  })

  it('leaves out what is ignored, and calls that are not wanted', async () => {
    server.script(serve(weather('F')))
    expect((await replay('reads.ndjson', '--ignore', '/result/content/*/text')).code).toBe(0)
    const { stdout } = await replay('reads.ndjson', '--only', 'body:Bergen', '--json')
    expect(lines(stdout).map(({ call: number }) => number)).toEqual([2, undefined])
  })

  it('exits with 2 and the list when consent is missing, and sends nothing', async () => {
    server.script(serve(weather('C')))
    const before = server.of('tools/call').length
    const { code, stdout, stderr } = await replay('books.ndjson', '--json')
    expect(code).toBe(2)
    expect(lines(stdout)).toMatchObject([
      { event: 'summary', total: 0, problem: expect.stringContaining('--yes') as string },
    ])
    expect(stderr).toContain('1 × weather: tools/call book: its list does not say that it is read-only')
    expect(stderr).toContain('give --yes')
    expect(server.of('tools/call').length).toBe(before)
    expect((await replay('books.ndjson', '--yes')).code).toBe(0)
    expect(server.of('tools/call').length).toBe(before + 2)
  })

  it('shows a plan, and sends nothing', async () => {
    const before = server.of('tools/call').length
    const { code, stdout } = await replay('books.ndjson', '--dry-run')
    expect(code).toBe(0)
    expect(stdout).toContain('weather → weather: 2')
    expect(stdout).toContain('1 × weather: tools/call book (needs consent)')
    expect(server.of('tools/call').length).toBe(before)
  })

  it('has no plan where nothing can be sent', async () => {
    await writeFile(file('unsent.ndjson'), captureText(new CallScript().received().ended().events))
    const { code, stderr } = await replay('unsent.ndjson', '--dry-run')
    expect([code, stderr]).toEqual([2, expect.stringContaining('there is nothing to send')])
  })

  it('keeps the new answers as expectation, in an intact capture', async () => {
    server.script(serve(weather('C')))
    await record('kept.ndjson', ['Oslo', 'Bergen'], false)
    server.script(serve(weather('F')))
    const { code, stderr } = await replay('kept.ndjson', '--update')
    expect([code, stderr]).toEqual([0, expect.stringContaining('2 calls have the new answers now')])
    expect((await replay('kept.ndjson')).code).toBe(0)
    expect((await stat(file('kept.ndjson'))).mode & 0o777).toBe(0o600)
    const opened = await openCapture(file('kept.ndjson'))
    expect([opened.notes, opened.index.size]).toEqual([noNotes(), 2])
    await opened.close()
    server.script(serve(weather('C')))
    expect((await replay('kept.ndjson')).code).toBe(1)
  })

  it.each([
    ['the capture', 0o444, 0o777, 'kept.ndjson'],
    ['its folder', 0o666, 0o555, ''],
  ])('keeps no answers, and sends nothing, where %s may not be written', async (_what, ofFile, ofFolder, told) => {
    const own = await mkdtemp(join(tmpdir(), 'sluice-replay-kept-'))
    try {
      const kept = join(own, 'kept.ndjson')
      await writeFile(kept, await readFile(file('reads.ndjson')))
      await writeFile(join(own, 'sluice.json'), await readFile(file('sluice.json')))
      await chmod(kept, ofFile)
      await chmod(own, ofFolder)
      const asked: string[] = []
      server.script((request, reply) => {
        asked.push(request.method)
        return serve(weather('F'))(request, reply)
      })
      await asUser(async () => {
        const args = ['replay', kept, '--config', join(own, 'sluice.json'), '--update']
        const { code, stderr } = await sluice(...args)
        expect(stderr).toContain(
          `sluice: ${told === '' ? own : join(own, told)} may not be written; change its permissions`,
        )
        expect(stderr).toContain('nothing was sent')
        expect(code).toBe(2)
      })
      expect(asked).not.toContain('tools/call')
    } finally {
      server.script(serve(weather('C')))
      await chmod(own, 0o755)
      await rm(own, { recursive: true, force: true })
    }
  })

  it.each([
    ['a backend that is down', ['reads.ndjson', 'down.json'], 'the backend "weather" is down'],
    ['a configuration that is not there', ['reads.ndjson', 'none.json'], 'does not exist'],
    ['a capture that is not there', ['none.ndjson', 'sluice.json'], 'none.ndjson does not exist'],
    ['a file that is no capture', ['sluice.json', 'sluice.json'], 'no capture'],
    ['a pointer that is none', ['reads.ndjson', 'sluice.json', '--ignore', 'text'], 'no JSON pointer'],
    [
      'a filter that cannot be read',
      ['reads.ndjson', 'sluice.json', '--only', 'colour:red'],
      'there is no key "colour"',
    ],
    ['a filter that nothing matches', ['reads.ndjson', 'sluice.json', '--only', 'tool:none'], 'no call matches'],
    ['a mapping to nowhere', ['reads.ndjson', 'sluice.json', '--map', 'weather=x'], 'there is no backend "x"'],
    [
      'a mapping of what was not recorded',
      ['reads.ndjson', 'sluice.json', '--map', 'wether=weather'],
      'the capture has no backend "wether", only weather',
    ],
  ])('exits with 2 for %s, and says what is wrong', async (_what, [capture = '', config = '', ...more], words) => {
    const { code, stderr } = await sluice('replay', file(capture), '--config', file(config), ...more)
    expect(stderr).toContain(words)
    expect(code).toBe(2)
  })

  it('says what to write where no configuration is named and none is in the data folder', async () => {
    const { code, stderr } = await sluice('replay', file('reads.ndjson'))
    expect([code, stderr]).toEqual([2, expect.stringContaining(`${file('data/sluice.json')} does not exist`)])
    expect(stderr).toContain('{"mcpServers":{"weather":{"url":"')
    expect(stderr).toContain('--config FILE')
  })

  it('says that not all of a capture could be read', async () => {
    const whole = await readFile(file('reads.ndjson'), 'utf8')
    await writeFile(file('broken.ndjson'), `${whole}{"seq":`)
    const { code, stderr } = await replay('broken.ndjson')
    expect([code, stderr]).toEqual([0, expect.stringContaining('broken.ndjson could be read; sluice capture verify')])
    expect((await replay('reads.ndjson')).stderr).not.toContain('could be read')
  })

  it('exits with 2 and still writes the report and the summary, for this user only', async () => {
    await writeFile(file('none.xml'), 'old')
    await chmod(file('none.xml'), 0o644)
    const args = ['--config', file('down.json'), '--json', '--junit', file('none.xml')]
    const { code, stdout } = await sluice('replay', file('reads.ndjson'), ...args)
    expect(code).toBe(2)
    const problem = expect.stringContaining('the backend "weather" is down') as string
    expect(lines(stdout)).toMatchObject([{ event: 'summary', total: 0, problem }])
    expect(await readFile(file('none.xml'), 'utf8')).toContain('errors="1"')
    expect((await stat(file('none.xml'))).mode & 0o777).toBe(0o600)
  })

  it('exits with 2 when what is read would be written, under whatever name', async () => {
    await symlink(file('reads.ndjson'), file('symbolic.ndjson'))
    await link(file('reads.ndjson'), file('hard.ndjson'))
    const before = await readFile(file('reads.ndjson'), 'utf8')
    for (const name of ['reads.ndjson', 'symbolic.ndjson', 'hard.ndjson']) {
      const { code, stderr } = await replay('reads.ndjson', '--capture', file(name))
      expect([code, stderr]).toEqual([2, expect.stringContaining('is the file that is replayed')])
      expect((await replay('reads.ndjson', '--junit', file(name))).stderr).toContain('is in use already')
    }
    const mock = { mcpServers: { weather: { type: 'replay', file: 'reads.ndjson' } } }
    await writeFile(file('played.json'), JSON.stringify(mock))
    const args = ['--config', file('played.json'), '--capture', file('hard.ndjson')]
    const played = await sluice('replay', file('books.ndjson'), ...args)
    expect([played.code, played.stderr]).toEqual([2, expect.stringContaining('this run records to')])
    expect(await readFile(file('reads.ndjson'), 'utf8')).toBe(before)
  })

  it('says that no backend has the name that was recorded, and how to map it', async () => {
    const two = { a: { url: server.url }, b: { url: server.url } }
    await writeFile(file('two.json'), JSON.stringify({ mcpServers: two }))
    const args = ['replay', file('reads.ndjson'), '--config', file('two.json')]
    const { code, stderr } = await sluice(...args)
    expect([code, stderr]).toEqual([2, expect.stringContaining('--map weather=NAME')])
    server.script(serve(weather('C')))
    expect((await sluice(...args, '--map', 'weather=b')).code).toBe(0)
  })
})

describe('a replay backend in a configuration', () => {
  it('takes the file from the folder of the configuration, and refuses a backend that the capture does not have', async () => {
    const mock = { mcpServers: { weather: { type: 'replay', file: 'reads.ndjson', pace: 'at-once' } } }
    await writeFile(file('mock.json'), JSON.stringify(mock))
    const args = ['replay', file('reads.ndjson'), '--config', file('mock.json'), '--json', '--yes']
    const { code, stdout } = await sluice(...args)
    expect(lines(stdout)).toMatchObject([{ same: 2, different: 0 }])
    expect(code).toBe(0)
    const wrong = { mcpServers: { weather: { type: 'replay', file: 'reads.ndjson', backend: 'other' } } }
    await writeFile(file('wrong.json'), JSON.stringify(wrong))
    const refused = await sluice('replay', file('reads.ndjson'), '--config', file('wrong.json'))
    expect(refused.code).toBe(2)
    expect(refused.stderr).toContain('mcpServers.weather.backend')
    expect(refused.stderr).toContain('has no calls to a backend "other", only to "weather"')
  })
})
