import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { plainCall, progressCall } from '../../../../test/capture/call-script'
import { captureText } from '../../../../test/capture/capture-text'
import { randomFrom, type Random } from '../../../../test/capture/random'
import { allRows } from '../../../shared/capture/call-selection'
import { foldCall } from '../../../shared/capture/fold'
import { findingsOf } from '../../../shared/findings'
import { CaptureFileError } from '../capture-file'
import { verifyCapture } from '../export/verify-capture'
import { openCapture } from './open-capture'

const WHOLE = captureText([...plainCall(), ...progressCall({ call: 2 }, 8), ...plainCall({ call: 3 }, 30)])
const { signal } = new AbortController()

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-hostile-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** Opens it and does with it whatever can be done; what is no capture says so. */
async function useUp(content: Buffer | string): Promise<number> {
  const file = join(folder, 'c.ndjson')
  await writeFile(file, content)
  try {
    const capture = await openCapture(file)
    try {
      for (const { call } of allRows(capture.index)) {
        const events = await capture.events(call)
        findingsOf(foldCall(events))
        for (const { seq } of events) await capture.text(call, seq)
      }
      await capture.search('step', signal)
      await verifyCapture(file)
      return capture.index.size
    } finally {
      await capture.close()
    }
  } catch (error) {
    if (error instanceof CaptureFileError) return -1
    throw error
  }
}

/** Bytes that were turned over, taken out, or put in at random. */
function damaged(random: Random): Buffer {
  const bytes = [...Buffer.from(WHOLE)]
  for (let count = 1 + random.below(20); count > 0; count--) {
    const at = random.below(bytes.length)
    const kind = random.below(4)
    if (kind === 0) bytes[at] = random.below(256)
    else if (kind === 1) bytes.splice(at, 1 + random.below(200))
    else if (kind === 2) bytes.splice(at, 0, ...Array.from({ length: random.below(50) }, () => random.below(256)))
    else
      bytes.splice(
        at,
        0,
        ...Buffer.from(random.pick(['\n', '"', '{', '}', '[', 'null', '-1', '1e999', '9007199254740993', '\\u0000'])),
      )
  }
  return Buffer.from(bytes)
}

/** Values of another type, or far away, in place of the right ones. */
function twisted(random: Random): string {
  const values = [null, true, -1, 0, 1.5, 1e308, '', 'x', [], {}, [[]], { a: 1 }, '__proto__', Number.MAX_SAFE_INTEGER]
  const lines = WHOLE.trimEnd().split('\n')
  const twist = (value: unknown, depth: number): unknown => {
    if (random.below(12) === 0) return random.pick<unknown>(values)
    if (typeof value !== 'object' || value === null || depth > 4) return value
    if (Array.isArray(value)) return value.map((item) => twist(item, depth + 1))
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, twist(member, depth + 1)]))
  }
  return lines.map((line, index) => (index === 0 ? line : JSON.stringify(twist(JSON.parse(line), 0)))).join('\n')
}

describe('opening files from anywhere', () => {
  it('survives every truncation', async () => {
    const bytes = Buffer.from(WHOLE)
    for (let length = 0; length < bytes.length; length += 61) {
      const calls = await useUp(bytes.subarray(0, length))
      expect(calls).toBeLessThanOrEqual(3)
    }
    expect(await useUp(bytes)).toBe(3)
  }, 60_000)

  it('survives damage', async () => {
    const random = randomFrom(42)
    for (let round = 0; round < 150; round++) await useUp(damaged(random))
  }, 60_000)

  it('survives values of other types and sizes', async () => {
    const random = randomFrom(43)
    for (let round = 0; round < 150; round++) expect(await useUp(twisted(random))).toBeGreaterThanOrEqual(0)
  }, 60_000)

  it('lets no name of a call grow into its row', async () => {
    const long = 'n'.repeat(1_000_000)
    const [received, routed, ...rest] = plainCall({ backend: long, operation: long, params: { name: long } })
    const file = join(folder, 'c.ndjson')
    const many = { ...routed, backends: Array.from({ length: 5_000 }, () => 'b') } as typeof routed
    await writeFile(file, captureText([received, many, ...rest].filter((event) => event !== undefined)))
    const capture = await openCapture(file)
    expect(JSON.stringify(capture.index.get(1)).length).toBeLessThan(5_000)
    await capture.close()
  })
})
