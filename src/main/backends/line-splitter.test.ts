import { describe, expect, it } from 'vitest'
import { LineSplitter, type OversizedLine } from './line-splitter'

function split(chunks: (string | Buffer)[], limit = 100): { lines: string[]; oversized: OversizedLine[] } {
  const lines: string[] = []
  const oversized: OversizedLine[] = []
  const splitter = new LineSplitter(
    limit,
    (line) => lines.push(line),
    (line) => oversized.push(line),
  )
  for (const chunk of chunks) splitter.push(Buffer.from(chunk))
  splitter.end()
  return { lines, oversized }
}

describe('LineSplitter', () => {
  it.each([
    ['a\nb\n', ['a', 'b']],
    ['a\r\n\r\nb', ['a', '', 'b']],
    ['\n', ['']],
    ['', []],
    ['{"a":"é世😀"}\nx', ['{"a":"é世😀"}', 'x']],
    ['a\rb\n', ['a\rb']],
  ])('%j, at once and byte by byte', (text, lines) => {
    expect(split([text]).lines).toEqual(lines)
    expect(split([...Buffer.from(text)].map((byte) => Buffer.of(byte))).lines).toEqual(lines)
  })

  it('passes over a line that is too long, and tells its ends', () => {
    const long = `{"id":7,${'x'.repeat(10_000)}"tail":1}`
    const expected = { bytes: long.length, head: long.slice(0, 2_048), tail: long.slice(-2_048) }
    expect(split(['a\n', long, '\nb\n'])).toEqual({ lines: ['a', 'b'], oversized: [expected] })
    const pieces = [...`${long}\nb`].map((character) => Buffer.from(character))
    expect(split(pieces)).toMatchObject({ lines: ['b'], oversized: [{ bytes: long.length, tail: expected.tail }] })
  })

  it('a line of just the limit is a line', () => {
    expect(split(['x'.repeat(100), '\n', 'y'.repeat(101)])).toMatchObject({
      lines: ['x'.repeat(100)],
      oversized: [{ bytes: 101, head: 'y'.repeat(101), tail: 'y'.repeat(101) }],
    })
  })
})
