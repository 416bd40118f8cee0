import { describe, expect, it } from 'vitest'
import { parseFilter } from './filter'
import { filterTerm, narrowed, withoutKey } from './filter-writing'
import { emptySummary } from './summarise'

const CONTEXT = { now: 0, bodyHits: new Map() }

describe('filterTerm', () => {
  it.each(['weather', 'wea*r', '=x', 'a b', 'say "hi"', 'C:\\temp', '-x', 'a:b', 'tab\tbed', 'ünï', 'OR'])(
    'of %s finds that and nothing else',
    (value) => {
      const filter = parseFilter(filterTerm('tool', value))
      expect(filter.problems).toEqual([])
      const call = (target: string) => ({ ...emptySummary(1, 0), target })
      expect(filter.matches(call(value), CONTEXT)).toBe(true)
      expect(filter.matches(call(`${value}!`), CONTEXT)).toBe(false)
      expect(filter.matches(call(value.replace('*', 'the')), CONTEXT)).toBe(!value.includes('*'))
    },
  )
})

describe('narrowed', () => {
  it.each([
    ['', 'tool:a', 'tool:a'],
    ['  ', 'tool:a', 'tool:a'],
    ['dur:>1s', 'tool:a', 'dur:>1s tool:a'],
    ['dur:>1s OR has:log', '-tool:a', 'dur:>1s -tool:a OR has:log -tool:a'],
    ['tool:"x OR y" has:log', 'tool:a', 'tool:"x OR y" has:log tool:a'],
    ['tool:a', 'tool:a', 'tool:a'],
    ['tool:a dur:>1s OR has:log tool:a', 'tool:a', 'tool:a dur:>1s OR has:log tool:a'],
    ['tool:ab', 'tool:a', 'tool:ab tool:a'],
    ['dur:>1s OR', 'tool:a', 'dur:>1s tool:a'],
    ['tool:"half a', 'tool:a', 'tool:"half a" tool:a'],
    ['has:log "half', 'call:>3', 'has:log "half" call:>3'],
    ['"ends with \\\\', 'tool:a', '"ends with \\\\" tool:a'],
  ])('%j by %s is %s', (filter, term, text) => {
    expect(narrowed(filter, term)).toBe(text)
    expect(parseFilter(text).problems).toEqual([])
  })
})

describe('withoutKey', () => {
  it.each([
    ['call:>3', ''],
    ['backend:a call:>3 -call:7 tool:b', 'backend:a tool:b'],
    ['CALL:3 a', 'a'],
    ['call:>3 OR has:log', 'has:log'],
    ['body:"call:1  OR" call:2', 'body:"call:1  OR"'],
    ['call: a', 'a'],
    ['tool:"half call:1', 'tool:"half call:1'],
    ['body:"a  \\" b" call:1', 'body:"a  \\" b"'],
  ])('%j is %j', (filter, text) => {
    expect(withoutKey(filter, 'call')).toBe(text)
  })
})
