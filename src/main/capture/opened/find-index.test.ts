import { appendFile, mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { captureText, manyCalls } from '../../../../test/capture/capture-text'
import { plainCall } from '../../../../test/capture/call-script'
import { findIndex } from './find-index'
import { decodeScan } from './index-code'
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
  const { encoded, problem } = await findIndex(file, data, () => (looked = true))
  return { scan: await decodeScan(encoded), looked, problem }
}

const places = ({ table, index }: CaptureScan, call: number) =>
  table.chain([...index.entries()].find(({ summary }) => summary.call === call)?.lastSeq ?? 0)

describe('findIndex', () => {
  it('makes an index once, for this user only, that says the same as the capture', async () => {
    const first = await find()
    expect(first).toMatchObject({ looked: true, problem: null })
    expect((await stat(`${file}.idx`)).mode & 0o777).toBe(0o600)
    const second = await find()
    expect(second).toMatchObject({ looked: false, problem: null })
    const scan = await scanCapture(file)
    for (const { index, notes, bytes, position, table } of [first.scan, second.scan]) {
      expect(index.list(0, 100)).toEqual(scan.index.list(0, 100))
      expect({ notes, bytes, position }).toEqual({ notes: scan.notes, bytes: scan.bytes, position: scan.position })
      expect(table.size).toBe(400)
    }
    expect(places(second.scan, 50)).toEqual(places(scan, 50))
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
    expect(places(scan, 51)).toHaveLength(8)
    expect(places(scan, 1)).toHaveLength(8)
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
