import { describe, expect, it } from 'vitest'
import type { FilterKey } from '../../shared/capture/filter-types'
import { emptySummary } from '../../shared/capture/summarise'
import { completionsAt } from './filter-completion'

const KEYS: FilterKey[] = [
  { key: 'backend', hint: 'name', values: [], seen: 'backend' },
  { key: 'body', hint: 'text', values: [] },
  { key: 'answer', hint: 'form', values: ['json', 'sse'] },
  { key: 'tool', hint: 'name', values: [], seen: 'target' },
]
const CALLS = [
  { ...emptySummary(1, 0), backend: 'weather', target: 'forecast' },
  { ...emptySummary(2, 0), backend: 'weather', target: 'book trip' },
  { ...emptySummary(3, 0), backends: ['weather', 'files'], target: null },
]
const at = (text: string, caret = text.length) => completionsAt(text, caret, KEYS, CALLS)
const texts = (text: string, caret?: number) => at(text, caret).items.map((item) => item.text)

describe('completionsAt', () => {
  it('offers every key before anything is typed, then those that begin so', () => {
    expect(texts('')).toEqual(['backend:', 'body:', 'answer:', 'tool:'])
    expect(texts('answer:json b')).toEqual(['backend:', 'body:'])
    expect(at('x -ba')).toMatchObject({ from: 3, to: 5, items: [{ text: 'backend:' }] })
  })
  it('offers fixed values, and seen ones with the most frequent first', () => {
    expect(texts('answer:')).toEqual(['json ', 'sse '])
    expect(texts('-answer:s')).toEqual(['sse ', 'json '])
    expect(texts('backend:')).toEqual(['weather ', 'files '])
  })
  it('quotes values with spaces and completes inside quotes', () => {
    expect(texts('tool:bo')).toEqual(['"book trip" '])
    expect(at('tool:"book t')).toMatchObject({ from: 5, to: 12, items: [{ text: '"book trip" ' }] })
  })
  it('offers nothing for an unknown key or a whole value', () => {
    expect(texts('nonsense:')).toEqual([])
    expect(texts('answer:sse')).toEqual([])
  })
  it('looks at the word at the caret only', () => {
    expect(at('to answer:json', 2)).toMatchObject({ from: 0, to: 2, items: [{ text: 'tool:' }] })
  })
})
