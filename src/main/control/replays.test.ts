import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { plainCall } from '../../../test/capture/call-script'
import { captureText, manyCalls } from '../../../test/capture/capture-text'
import type { Recorder } from '../capture/recorder-contract'
import type { ReplayTarget } from '../replay/replay-target'
import { CaptureUploads } from './capture-uploads'
import { exportCapture } from './export-commands'
import { OpenedCaptures } from './opened-captures'
import { replayCommands } from './replay-commands'
import { Replays } from './replays'

let folder: string
let opened: OpenedCaptures
let uploads: CaptureUploads
let replays: Replays
const addEntry = vi.fn((_name: string, _entry: object, _problems: object[]) => Promise.resolve())
/** Backends that are configured, none of which can be reached. */
const target: ReplayTarget = {
  backends: () => ['weather', 'other'],
  problem: async (backend) => `the backend "${backend}" is down`,
  endpoint: () => 'http://127.0.0.1:9/mcp/weather',
  recorded: () => Promise.reject(new Error('nothing was sent')),
  events: () => Promise.resolve([]),
  close: () => undefined,
}
const recorder = {} as unknown as Recorder
const commands = () => replayCommands({ recorder, addEntry }, opened, uploads, replays)

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-replays-'))
  await mkdir(join(folder, 'captures'))
  opened = new OpenedCaptures(folder, '0.1.0')
  uploads = new CaptureUploads(join(folder, 'uploads'))
  replays = new Replays(target, '0.1.0')
  addEntry.mockClear()
})
afterEach(async () => {
  replays.closeAll()
  await opened.closeAll()
  await rm(folder, { recursive: true, force: true })
})

async function open(text = captureText(manyCalls(3)), name = 'a.ndjson'): Promise<string> {
  const file = join(folder, name)
  await writeFile(file, text)
  const id = await opened.open(file)
  await vi.waitUntil(() => opened.list().find((each) => each.id === id)?.state === 'open', { timeout: 5_000 })
  return id
}

describe('replays', () => {
  it('are planned first: what would be called where, and what needs consent', async () => {
    const capture = await open()
    const { replay, plan } = await commands()['replay.plan']({ capture })
    expect(plan.mapping).toEqual([{ from: 'weather', to: 'weather', calls: 3 }])
    expect(plan.counts).toEqual({ sent: 3, consent: 3, notSent: 0 })
    expect(plan.operations[0]).toMatchObject({ call: 1, name: 'forecast', consent: expect.any(String) as string })
    expect(plan.backends).toEqual(['weather', 'other'])
    expect(replays.list()).toMatchObject([{ id: replay, state: 'planned', name: 'a.ndjson', total: 3 }])
  })

  it('go to the backends that are chosen, of the calls that are chosen, in place of an earlier plan', async () => {
    const calls = [1, 2, 3].flatMap((call) => plainCall({ call, operation: `op-${call}` }, (call - 1) * 8))
    const capture = await open(captureText(calls))
    const first = await commands()['replay.plan']({ capture })
    const request = { capture, calls: [2], mapping: { weather: 'other' }, instead: first.replay }
    const { plan } = await commands()['replay.plan'](request)
    expect(plan.operations.map(({ call, backend }) => [call, backend])).toEqual([[2, 'other']])
    expect(replays.list()).toHaveLength(1)
  })

  it('tell how they went, and are saved once they are done', async () => {
    const capture = await open()
    const { replay, plan } = await commands()['replay.plan']({ capture })
    const to = join(folder, 'report.json')
    const save = (replace: boolean) => commands()['replay.save']({ replay, to, replace })
    await expect(save(false)).rejects.toThrow('not done yet')
    const told = vi.fn()
    replays.onChange(told)
    await commands()['replay.start']({
      replay,
      consented: [plan.operations[0]?.index ?? -1],
      pacing: 'in-order',
      ignore: [],
    })
    await vi.waitUntil(() => replays.list()[0]?.state === 'done', { timeout: 5_000 })
    expect(told).toHaveBeenCalled()
    const { report } = await commands()['replay.show']({ replay })
    expect(report?.counts).toMatchObject({ total: 3, failed: 1, 'not-sent': 2 })
    expect(replays.list()[0]?.counts).toEqual({ same: 0, different: 0, failed: 1, 'not-sent': 2 })
    expect(await save(false)).toEqual({ file: to })
    expect(JSON.parse(await readFile(to, 'utf8'))).toEqual(report)
    await writeFile(to, 'of somebody')
    await expect(save(false)).rejects.toThrow(`${to} is there already; name another file`)
    expect(await readFile(to, 'utf8')).toBe('of somebody')
    expect(await save(true)).toEqual({ file: to })
    expect(JSON.parse(await readFile(to, 'utf8'))).toEqual(report)
  })

  it('keep new answers only of an opened capture, once they are done', async () => {
    const capture = await open()
    const { replay } = await commands()['replay.plan']({ capture })
    await expect(commands()['replay.keep']({ replay })).rejects.toThrow('not done yet')
    await commands()['replay.start']({ replay, consented: [], pacing: 'in-order', ignore: [] })
    await vi.waitUntil(() => replays.list()[0]?.state === 'done', { timeout: 5_000 })
    // Nothing was sent, so nothing differs, and the file stays as it is.
    const before = await readFile(join(folder, 'a.ndjson'), 'utf8')
    expect(await commands()['replay.keep']({ replay })).toEqual({
      file: join(folder, 'a.ndjson'),
      updated: 0,
      kept: [],
    })
    expect(await readFile(join(folder, 'a.ndjson'), 'utf8')).toBe(before)
    await expect(commands()['replay.keep']({ replay: 'r99' })).rejects.toThrow('opened capture')
  })

  it('are not begun twice, nor with rules that cannot be read', async () => {
    const capture = await open()
    const { replay } = await commands()['replay.plan']({ capture })
    const start = { replay, consented: 'all', pacing: 'in-order' } as const
    expect(() => commands()['replay.start']({ ...start, ignore: ['no pointer'] })).toThrow('no pointer')
    await commands()['replay.start']({ ...start, ignore: [] })
    expect(() => commands()['replay.start']({ ...start, ignore: [] })).toThrow('begun already')
  })

  it('make way for new ones', async () => {
    const capture = await open()
    for (let count = 0; count < 9; count++) await commands()['replay.plan']({ capture, calls: [1] })
    expect(replays.list()).toHaveLength(8)
    await expect(async () => commands()['replay.show']({ replay: 'r1' })).rejects.toThrow('no such replay')
  })
})

describe('a capture as a backend', () => {
  it('is written into the configuration with its path, unless it is a copy that goes', async () => {
    const capture = await open()
    await commands()['replay.addBackend']({ capture, name: 'mock', backend: 'weather' })
    const entry = { type: 'replay', file: join(folder, 'a.ndjson'), backend: 'weather' }
    expect(addEntry).toHaveBeenCalledExactlyOnceWith('mock', entry, [])
    const upload = await uploads.begin('b.ndjson')
    await uploads.add(upload, Buffer.from(captureText(manyCalls(1))).toString('base64'))
    const copy = await opened.open(await uploads.end(upload))
    await vi.waitUntil(() => opened.list().find(({ id }) => id === copy)?.state === 'open', { timeout: 5_000 })
    await expect(commands()['replay.addBackend']({ capture: copy, name: 'mock' })).rejects.toThrow('copy')
  })
})

describe('exports', () => {
  const secret = 'hunter2hunter2'
  const text = captureText(plainCall({ params: { name: 'forecast', arguments: { password: secret } } }))
  const run = (request: Partial<Parameters<typeof exportCapture>[2]> & { capture: string; to: string }) =>
    exportCapture({ recorder, version: '0.1.0' }, opened, {
      format: 'capture',
      sensitive: false,
      replace: false,
      ...request,
    })

  it.each(['capture', 'har'] as const)('are redacted, unless sensitive data is asked for (%s)', async (format) => {
    const capture = await open(text)
    const to = join(folder, 'out')
    expect(await run({ capture, to, format })).toMatchObject({ file: to, calls: 1 })
    expect(await readFile(to, 'utf8')).not.toContain(secret)
    await expect(run({ capture, to, format })).rejects.toThrow()
    await run({ capture, to, format, sensitive: true, replace: true })
    expect(await readFile(to, 'utf8')).toContain(secret)
  })

  it('bring the other rounds of what was chosen', async () => {
    const rounds = [1, 2, 3].flatMap((round) => plainCall({ call: round, round, operation: 'trip' }, (round - 1) * 8))
    const capture = await open(captureText([...rounds, ...plainCall({ call: 4, operation: 'alone' }, 24)]))
    const to = join(folder, 'out')
    expect(await run({ capture, to, calls: [2] })).toMatchObject({ calls: 3 })
    expect(await run({ capture, to: `${to}.json`, format: 'json', calls: [3, 4] })).toMatchObject({ calls: 4 })
  })

  it('are of the calls that are chosen', async () => {
    const calls = [1, 2, 3].flatMap((call) => plainCall({ call, operation: `op-${call}` }, (call - 1) * 8))
    const capture = await open(captureText(calls))
    const to = join(folder, 'out')
    expect(await run({ capture, to, calls: [1, 3] })).toMatchObject({ calls: 2 })
    expect(await run({ capture, to: `${to}.har`, format: 'har', calls: [2] })).toMatchObject({ calls: 1 })
  })
})
