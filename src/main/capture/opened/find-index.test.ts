import { execFileSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { captureText, manyCalls } from '../../../../test/capture/capture-text'
import { plainCall } from '../../../../test/capture/call-script'
import { findIndex } from './find-index'
import { scanCapture, type CaptureScan } from './scan'

let folder: string
let file: string
let dataFolder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-index-'))
  file = join(folder, 'c.ndjson')
  dataFolder = join(folder, 'data')
  await writeFile(file, captureText(manyCalls(50)))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** `looked`: whether the capture itself was read. */
async function find(data = dataFolder): Promise<{ scan: CaptureScan; looked: boolean; problem: string | null }> {
  let looked = false
  return { ...(await findIndex(file, data, () => (looked = true))), looked }
}

describe('findIndex', () => {
  it('makes an index once, for this user only, that says the same as the capture', async () => {
    const first = await find()
    expect(first).toMatchObject({ looked: true, problem: null })
    expect((await stat(`${file}.idx`)).mode & 0o777).toBe(0o600)
    const second = await find()
    expect(second).toMatchObject({ looked: false, problem: null })
    const scan = await scanCapture(file)
    for (const { index, facts } of [first.scan, second.scan]) {
      expect(index.list(0, 100)).toEqual(scan.index.list(0, 100))
      expect(facts).toEqual(scan.facts)
      expect(facts.events).toBe(400)
    }
    expect(second.scan.index.places(50)).toEqual(scan.index.places(50))
  })

  it('goes on where a file has grown', async () => {
    await find()
    await appendFile(
      file,
      captureText(plainCall({ call: 51 }, 400))
        .split('\n')
        .slice(1)
        .join('\n'),
    )
    const { scan, looked } = await find()
    expect(looked).toBe(true)
    expect(scan.index.list(0, 100)).toEqual((await scanCapture(file)).index.list(0, 100))
    for (const call of [1, 50, 51])
      expect(scan.index.places(call)).toEqual((await scanCapture(file)).index.places(call))
    expect((await find()).looked).toBe(false)
  })

  it('does not believe an index of another capture', async () => {
    await find()
    await writeFile(file, captureText(manyCalls(49)))
    expect((await find()).scan.index.size).toBe(49)
  })

  it('does not believe an index when only the time of the file differs', async () => {
    await find()
    await utimes(file, new Date(), new Date(1_000_000))
    expect((await find()).looked).toBe(true)
  })

  it('does not believe an index that somebody else made, or that is none', async () => {
    await find(join(folder, 'another user'))
    expect((await find()).looked).toBe(true)
    for (const content of ['', 'x', `{}\n${'y'.repeat(200)}`]) {
      await writeFile(`${file}.idx`, content)
      expect((await find()).looked).toBe(true)
    }
  })

  it('does not believe an index of which a part is missing, more, or other', async () => {
    await find()
    const whole = await readFile(`${file}.idx`)
    const cases = [0, 31, 33, 500, whole.length >> 1, whole.length - 1].map((length) => whole.subarray(0, length))
    cases.push(Buffer.concat([whole, Buffer.alloc(8)]), Buffer.concat([whole.subarray(0, -32), Buffer.alloc(8), whole]))
    for (const at of [10, 300, whole.length - 2_000, whole.length - 40, whole.length - 1]) {
      const other = Buffer.from(whole)
      other[at] = (other[at] ?? 0) ^ 1
      cases.push(other)
    }
    for (const content of cases) {
      await writeFile(`${file}.idx`, content)
      const { looked, scan } = await find()
      expect([looked, scan.index.size]).toEqual([true, 50])
      expect(await readFile(`${file}.idx`)).toEqual(whole)
    }
  })

  it('makes it anew when it is of another version, or its parts do not fit together, also when it is sealed', async () => {
    await find()
    const whole = await readFile(`${file}.idx`)
    const head = whole.indexOf('\n') + 1
    const line = whole.toString('utf8', 0, head)
    const parts = whole.subarray(head, -32)
    /** The byte at `at` of the parts replaced. */
    const lying = (at: number): [string, Buffer] => {
      const other = Buffer.from(parts)
      other[at] = 255 - (other[at] ?? 0)
      return [line, other]
    }
    const cases: [string, Buffer][] = [
      [line.replace('"version":5', '"version":4'), parts],
      [line.replace('"calls":50', '"calls":5 '), parts],
      [line.replace('"calls":50', '"calls":1e9'), parts],
      [line, parts.subarray(0, -8)],
      // A number of a call, an operation, where a row ends, where places end.
      lying(8 * 20 + 6),
      lying(8 * 50 + 8 * 20 + 6),
      lying(16 * 50 + 4 * 20 + 3),
      lying(20 * 50 + 4 * 20 + 3),
    ]
    for (const [text, bytes] of cases) {
      const content = [Buffer.from(text), bytes]
      const hmac = createHmac('sha256', await readFile(join(dataFolder, 'index.key')))
      for (const part of content) hmac.update(part)
      await writeFile(`${file}.idx`, Buffer.concat([...content, hmac.digest()]))
      const { looked, scan, problem } = await find()
      expect({ looked, problem, calls: scan.index.size }).toEqual({ looked: true, problem: null, calls: 50 })
      expect((await find()).looked).toBe(false)
    }
  })

  it.runIf(process.platform !== 'win32')('does not wait for a pipe in the place of an index', async () => {
    execFileSync('mkfifo', [`${file}.idx`])
    expect((await find()).looked).toBe(true)
    expect((await find()).looked).toBe(false)
  })

  it('keeps it in the data folder where it cannot stand beside the capture', async () => {
    await mkdir(`${file}.idx`)
    expect(await find()).toMatchObject({ looked: true, problem: null })
    expect(await readdir(join(dataFolder, 'indexes'))).toHaveLength(1)
    expect((await find()).looked).toBe(false)
  })

  it('does without where no data folder can be made, and says why', async () => {
    await writeFile(dataFolder, 'a file')
    const { scan, problem } = await find()
    expect(scan.index.size).toBe(50)
    expect(problem).toMatch(/data/)
  })
})
