import { describe, expect, it } from 'vitest'
import { LineSplitter } from './line-splitter'

function split(text: string, size: number, max = 1_000): { offset: number; length: number; text: string | null }[] {
  const splitter = new LineSplitter(max)
  const bytes = Buffer.from(text)
  const lines = []
  for (let at = 0; at < bytes.length; at += size) lines.push(...splitter.push(bytes.subarray(at, at + size)))
  const rest = splitter.rest()
  if (rest !== undefined) lines.push(rest)
  return lines.map(({ offset, length, bytes: line }) => ({ offset, length, text: line?.toString() ?? null }))
}

describe('LineSplitter', () => {
  it.each([1, 2, 3, 5, 1_000])('gives the same lines from blocks of %d bytes', (size) => {
    expect(split('aé\n\nlong line\nrest', size)).toEqual([
      { offset: 0, length: 3, text: 'aé' },
      { offset: 4, length: 0, text: '' },
      { offset: 5, length: 9, text: 'long line' },
      { offset: 15, length: 4, text: 'rest' },
    ])
  })

  it('keeps nothing of a line over the bound, and finds the next one', () => {
    expect(split('12345678\nab\n', 3, 4)).toEqual([
      { offset: 0, length: 8, text: null },
      { offset: 9, length: 2, text: 'ab' },
    ])
  })
})
