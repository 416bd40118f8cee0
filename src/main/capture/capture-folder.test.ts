import { mkdir, mkdtemp, readdir, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { captureFolder, keepPruning, newCaptureFile, pruneCaptures } from './capture-folder'
import { makeFolder } from './make-folder'

const NOW = Date.parse('2026-08-28T12:00:00.000Z')
const DAY = 86_400_000

let data: string
beforeEach(async () => {
  data = await mkdtemp(join(tmpdir(), 'sluice-data-'))
})
afterEach(() => rm(data, { recursive: true, force: true }))

/** A capture of so many bytes, last written so many days ago. */
async function capture(daysAgo: number, bytes: number, name?: string): Promise<string> {
  const time = new Date(NOW - daysAgo * DAY)
  const own = newCaptureFile(data, time)
  const file = name === undefined ? own : join(captureFolder(data), name)
  await writeFile(file, 'x'.repeat(bytes))
  await utimes(file, time, time)
  return file
}

const left = async (): Promise<string[]> => (await readdir(captureFolder(data))).sort()
const RULES = { keepBytes: 1_000, keepDays: 30 }

describe('pruneCaptures', () => {
  it('removes what is too old, with its index', async () => {
    const old = await capture(31, 10)
    await writeFile(`${old}.idx`, 'index')
    const young = await capture(29, 10)
    expect(await pruneCaptures(data, RULES, new Set(), NOW)).toEqual([{ file: old, bytes: 10 }])
    expect(await left()).toEqual([basename(young)])
  })

  it('removes the oldest while all together are too large, and keeps the newest however large it is', async () => {
    await capture(3, 500)
    const second = await capture(2, 400)
    const newest = await capture(1, 500)
    expect(await pruneCaptures(data, RULES, new Set(), NOW)).toHaveLength(1)
    expect(await left()).toEqual([basename(second), basename(newest)].sort())
    expect(await pruneCaptures(data, { ...RULES, keepBytes: 1 }, new Set(), NOW)).toHaveLength(1)
    expect(await left()).toEqual([basename(newest)])
  })

  it('leaves alone what is in use, what has a name of its own, and links', async () => {
    const written = await capture(90, 10)
    await writeFile(`${written}.lock`, String(process.pid))
    const spared = await capture(91, 10)
    const saved = await capture(92, 10, 'the bug of tuesday.ndjson')
    const elsewhere = join(data, 'elsewhere.ndjson')
    await writeFile(elsewhere, 'x')
    const link = newCaptureFile(data, new Date(NOW - 93 * DAY))
    await symlink(elsewhere, link)
    expect(await pruneCaptures(data, RULES, new Set([spared]), NOW)).toEqual([])
    expect(await left()).toEqual([written, `${written}.lock`, spared, saved, link].map((one) => basename(one)).sort())
  })

  it('has nothing to do where nothing was recorded', async () => {
    expect(await pruneCaptures(join(data, 'nothing'), RULES)).toEqual([])
  })

  it('is done at once, by the rules of the moment, and says what it cannot do', async () => {
    await capture(1, 10)
    const said = vi.fn()
    const stop = keepPruning({
      dataFolder: data,
      rules: () => ({ keepBytes: 1_000, keepDays: 0.000_001, spared: new Set() }),
      onRemoved: (removed) => said(removed.length),
      onProblem: said,
    })
    await vi.waitFor(() => expect(said).toHaveBeenCalledWith(1))
    stop()
    await rm(captureFolder(data), { recursive: true })
    await writeFile(captureFolder(data), 'a file')
    const problem = vi.fn()
    keepPruning({
      dataFolder: data,
      rules: () => ({ ...RULES, spared: new Set() }),
      onRemoved: said,
      onProblem: problem,
    })()
    await vi.waitFor(() => expect(problem).toHaveBeenCalledWith(expect.stringMatching(/could not be removed.*ENOTDIR/)))
  })
})

describe('makeFolder', () => {
  it('makes what is missing, for this user only', async () => {
    const folder = join(data, 'a', 'b', 'c')
    makeFolder(folder)
    makeFolder(folder)
    expect((await stat(join(data, 'a'))).mode & 0o777).toBe(0o700)
  })

  it('ends where no folder can be made', async () => {
    expect(() => makeFolder('/proc/nothing/here')).toThrow(/ENOENT|EACCES|EROFS/)
    await mkdir(join(data, 'x'))
    await writeFile(join(data, 'x', 'file'), '')
    expect(() => makeFolder(join(data, 'x', 'file', 'y'))).toThrow(/ENOTDIR|EEXIST/)
  })
})
