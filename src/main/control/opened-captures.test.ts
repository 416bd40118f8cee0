import { Buffer } from 'node:buffer'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { captureText, manyCalls } from '../../../test/capture/capture-text'
import { redactionRules } from '../../shared/capture/redaction-rules'
import type { Recorder } from '../capture/recorder-contract'
import { captureCommands } from './capture-commands'
import { CaptureUploads } from './capture-uploads'
import { OpenedCaptures } from './opened-captures'

let folder: string
let opened: OpenedCaptures
let uploads: CaptureUploads
const live = join('captures', 'live.ndjson')
const never = new AbortController().signal

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-opened-'))
  await mkdir(join(folder, 'captures'))
  opened = new OpenedCaptures(folder, '0.1.0')
  uploads = new CaptureUploads(join(folder, 'uploads'))
})
afterEach(async () => {
  await opened.closeAll()
  await uploads.closeAll()
  await rm(folder, { recursive: true, force: true })
})

const commands = () => {
  const recorder = { status: () => ({ file: join(folder, live) }) } as unknown as Recorder
  return captureCommands(recorder, opened, uploads)
}
async function write(name: string, text = captureText(manyCalls(3))): Promise<string> {
  const file = join(folder, name)
  await writeFile(file, text)
  return file
}
const settled = (id: string) =>
  vi.waitUntil(() => opened.list().find((each) => each.id === id && each.state !== 'opening'), { timeout: 5_000 })

describe('a mark on a call of an earlier file of this run', () => {
  const mark = { mark: 'red', pinned: false, comment: 'late' } as const
  const marking = (file: string) => {
    const recorder = {
      annotate: () => true,
      earlierFileOf: () => file,
      // As the recorder keeps it, redacted.
      index: { get: () => ({ annotation: { ...mark, comment: 'token «redacted 8»' } }) },
    } as unknown as Recorder
    return captureCommands(recorder, opened, uploads)['call.annotate']({ call: 2, annotation: mark }, never)
  }
  const marksOf = async (file: string) => {
    const { capture } = await commands()['capture.open']({ file }, never)
    await settled(capture)
    return opened
      .view(capture)
      .index.list(0, 9)
      .calls.map(({ annotation }) => annotation)
  }

  it('stays beside that file', async () => {
    const file = await write('earlier.ndjson')
    await marking(file)
    expect(await marksOf(file)).toEqual([null, { ...mark, comment: 'token «redacted 8»' }, null])
  })

  it('and is there at once where the file is open', async () => {
    const file = await write('earlier.ndjson')
    expect(await marksOf(file)).toEqual([null, null, null])
    await marking(file)
    expect(await marksOf(file)).toEqual([null, { ...mark, comment: 'token «redacted 8»' }, null])
  })
})

describe('captures that are opened', () => {
  it('are looked at with the commands of the live run', async () => {
    const { capture } = await commands()['capture.open']({ file: await write('a.ndjson') }, never)
    expect(await settled(capture)).toMatchObject({
      state: 'open',
      name: 'a.ndjson',
      calls: 3,
      writtenBy: 'sluice 0.1.0',
      backends: ['weather'],
      damaged: false,
      handedOverAt: null,
      problem: null,
    })
    const { calls } = await commands()['calls.list']({ after: 1, capture }, never)
    expect(calls.map(({ call }) => call)).toEqual([2, 3])
    const { events, header } = await commands()['call.events']({ call: 2, capture }, never)
    expect(events).toHaveLength(8)
    expect(header.startedAt).toBe('2026-08-28T12:00:00.000Z')
    await expect(commands()['call.events']({ call: 9, capture }, never)).rejects.toThrow(
      'call 9 is not in this capture',
    )
    expect((await commands()['calls.search']({ text: 'forecast', capture }, never)).calls).toEqual([1, 2, 3])
  })

  it('are not opened twice unless they have grown, and several are open at once', async () => {
    const [one, other] = [await write('a.ndjson'), await write('b.ndjson')]
    const first = await opened.open(one)
    expect(await opened.open(one)).toBe(first)
    expect(await opened.open(other)).not.toBe(first)
    await settled(first)
    expect(opened.list()).toHaveLength(2)
    expect(await opened.open(one)).toBe(first)
    await write('a.ndjson', captureText(manyCalls(4)))
    const grown = await opened.open(one)
    expect(grown).not.toBe(first)
    expect(await settled(grown)).toMatchObject({ calls: 4 })
    expect(opened.list()).toHaveLength(2)
  })

  it('say what is wrong with a file, and can be tried again', async () => {
    const file = await write('a.har', '{"log":{"version":"1.2","entries":[]}}')
    const first = await opened.open(file)
    const status = await settled(first)
    expect(status).toMatchObject({ state: 'failed', problem: expect.stringContaining('no MCP over HTTP') as string })
    await expect(async () => commands()['calls.list']({ after: 0, capture: first }, never)).rejects.toThrow(
      'no MCP over HTTP',
    )
    await write('a.har')
    const again = await opened.open(file)
    expect(again).not.toBe(first)
    expect(await settled(again)).toMatchObject({ state: 'open' })
    expect(opened.list()).toHaveLength(1)
  })

  it('tell what could not be read', async () => {
    const id = await opened.open(await write('a.ndjson', captureText([...manyCalls(1), 'no event', '{"seq":9,"at"'])))
    const status = await settled(id)
    expect(status).toMatchObject({ damaged: true, calls: 1 })
    expect(status?.notes.join(' ')).toMatch(/torn/)
    expect(status?.passedOver).toEqual([expect.stringMatching(/^line \d+: no JSON$/)])
  })

  it('are let go, and then there is nothing to look at', async () => {
    const id = await opened.open(await write('a.ndjson'))
    await settled(id)
    const told = vi.fn()
    opened.onChange(told)
    await commands()['capture.close']({ capture: id }, never)
    expect(told).toHaveBeenCalledOnce()
    expect(() => opened.view(id)).toThrow('not open')
  })

  it('of earlier runs are listed, newest first, without the one that is being recorded', async () => {
    await write(live)
    await write(join('captures', 'old.ndjson'))
    await write(join('captures', 'old.ndjson.idx'))
    const { recent } = await commands()['captures.list']({}, never)
    expect(recent.map(({ name }) => name)).toEqual(['old.ndjson'])
  })
})

describe('captures that a browser hands over', () => {
  const pieces = (text: string) =>
    [text.slice(0, 700), text.slice(700)].map((part) => Buffer.from(part).toString('base64'))

  it('arrive in pieces, are opened, and are removed when they are closed', async () => {
    const [first = '', second = ''] = pieces(captureText(manyCalls(2)))
    const begun = await commands()['capture.upload']({ name: '../../x/a.ndjson', data: first, last: false }, never)
    expect(begun.capture).toBeNull()
    const { upload } = begun
    const { capture } = await commands()['capture.upload']({ name: 'a', upload, data: second, last: true }, never)
    expect(await settled(capture ?? '')).toMatchObject({ name: 'a.ndjson', calls: 2 })
    expect(opened.list()[0]?.file.startsWith(join(folder, 'uploads'))).toBe(true)
    await commands()['capture.close']({ capture: capture ?? '' }, never)
    expect(await readdir(join(folder, 'uploads'))).toEqual([])
  })

  it('are bounded in number, and a piece of none is refused', async () => {
    for (let count = 0; count < 4; count++) await uploads.begin('a')
    await expect(uploads.begin('a')).rejects.toThrow('4 files')
    await expect(uploads.add('nobody', '')).rejects.toThrow('not being handed over')
    await uploads.closeAll()
    expect(await readdir(join(folder, 'uploads'))).toEqual([])
  })
})

it('a file that could not be opened is tried anew, also when it is gone by then', async () => {
  const file = await write('a.ndjson', 'no capture')
  expect(await settled(await opened.open(file))).toMatchObject({ state: 'failed' })
  await rm(file)
  expect((await settled(await opened.open(file)))?.problem).toContain('does not exist')
  expect(opened.list()).toHaveLength(1)
})

describe('HARs', () => {
  const listAfter = (cursor: string): string =>
    JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { cursor } })
  const request = (id: number): object => ({
    method: 'POST',
    url: 'https://mcp.example.com/mcp',
    headers: [{ name: 'MCP-Protocol-Version', value: '2026-07-28' }],
    postData: { text: JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/list', params: {} }) },
  })
  const entry = (id: number): object => ({
    startedDateTime: new Date(1_788_000_000_000 + id * 100).toISOString(),
    time: 20,
    request: request(id),
    response: {
      status: 200,
      headers: [],
      content: { mimeType: 'application/json', text: JSON.stringify({ jsonrpc: '2.0', id, result: { tools: [] } }) },
    },
  })
  const har = (...entries: unknown[]): string => JSON.stringify({ log: { version: '1.2', entries } })

  it('lose what the configuration wants redacted', async () => {
    const own = new OpenedCaptures(folder, '0.1.0', () => redactionRules({ headers: [], keys: ['cursor'] }))
    const secret = { ...entry(1), request: { ...request(1), postData: { text: listAfter('hush-hush') } } }
    const id = await own.open(await write('secret.har', har(secret)))
    await vi.waitUntil(() => own.list()[0]?.state === 'open', { timeout: 5_000 })
    expect(await readFile(own.view(id).path, 'utf8')).not.toContain('hush-hush')
    expect(JSON.stringify(await own.view(id).events(1))).toContain('«redacted 16»')
    await own.closeAll()
  })

  it('are made into captures, which go when they are closed', async () => {
    const file = await write('web.har', har(entry(1), entry(2), { request: 1 }))
    const { capture } = await commands()['capture.open']({ file }, never)
    const status = await settled(capture)
    expect(status).toMatchObject({ state: 'open', name: 'web.har', file, calls: 2, backends: ['mcp.example.com'] })
    expect(status?.notes[0]).toBe('Made of a HAR: 2 calls; 1 cannot be read. Export it as a capture to keep it.')
    expect(status?.passedOver).toEqual([expect.stringMatching(/^entry 3: /)])
    const { path } = opened.view(capture)
    expect([opened.isCopy(capture), (await stat(path)).mode & 0o777]).toEqual([true, 0o600])
    // The same file is the same capture; another content is another one.
    expect(await opened.open(file)).toBe(capture)
    await writeFile(file, har(entry(1)))
    const again = await opened.open(file)
    expect(await settled(again)).toMatchObject({ state: 'open', calls: 1 })
    await expect(stat(path)).rejects.toThrow('ENOENT')
    const copy = opened.view(again).path
    await opened.close(again)
    await expect(stat(dirname(copy))).rejects.toThrow('ENOENT')
  })

  it.each([
    ['without calls', har({}), /no MCP over HTTP/],
    ['that is torn', '{"log":{"entries":[{"startedDateTime":"x"', /torn/],
  ])('%s say why they cannot be opened', async (_what, text, message) => {
    const id = await opened.open(await write('bad.har', text))
    expect(await settled(id)).toMatchObject({ state: 'failed', problem: expect.stringMatching(message) as string })
  })
})

describe('a capture that the system hands over', () => {
  it('is told of as such, also when it is open already', async () => {
    const file = await write('a.ndjson')
    const id = await opened.open(file)
    await settled(id)
    const changed = vi.fn()
    opened.onChange(changed)
    expect(await commands()['capture.open']({ file, handedOver: true }, never)).toEqual({ capture: id })
    expect(opened.list()[0]?.handedOverAt).toBeGreaterThan(Date.now() - 10_000)
    expect(changed).toHaveBeenCalled()
  })
})
