import { describe, expect, it } from 'vitest'
import { textRows } from './text-rows'

const cut = (text: string) => textRows(text).map(({ from, to }) => text.slice(from, to))

describe('textRows', () => {
  it('cuts at line feeds and keeps empty lines', () => {
    expect(cut('')).toEqual([''])
    expect(cut('a\n\nb\n')).toEqual(['a', '', 'b', ''])
  })
  it('cuts long lines without losing or splitting a character', () => {
    const text = 'x'.repeat(1_999) + '😀'.repeat(2_000)
    const rows = cut(text)
    expect(rows.join('')).toBe(text)
    expect(rows.every((row) => row.length <= 2_001 && !/\p{Cs}/u.test(row))).toBe(true)
  })
})
