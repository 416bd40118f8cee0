import { expect, it } from 'vitest'
import { MAX_VARINT_BYTES, putVarint, VarintReader, varintBytes } from './varints'

const NUMBERS = [0, 1, 127, 128, 16_383, 16_384, 2 ** 31 - 1, 2 ** 31, 2 ** 32, 2 ** 40 + 5, Number.MAX_SAFE_INTEGER]

it('reads the numbers that were written, in as many bytes as were said', () => {
  const bytes = new Uint8Array(NUMBERS.length * MAX_VARINT_BYTES)
  let end = 0
  for (const number of NUMBERS) {
    const next = putVarint(bytes, end, number)
    expect(next - end).toBe(varintBytes(number))
    end = next
  }
  const reader = new VarintReader(bytes, 0, end)
  for (const number of NUMBERS) expect(reader.next()).toBe(number)
  expect([reader.done, reader.next()]).toEqual([true, 0])
})
