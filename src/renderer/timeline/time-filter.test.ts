import { describe, expect, it } from 'vitest'
import { parseFilter } from '../../shared/capture/filter'
import { emptySummary } from '../../shared/capture/summarise'
import { stretchOf, withStretch } from './time-filter'

const stretch = { from: 1_000_000, to: 2_500_000 }
const TERM = 'at:1000000us..2499999us'

describe('withStretch', () => {
  it.each([
    ['', TERM],
    ['backend:weather', `backend:weather ${TERM}`],
    ['at:1us..2us backend:weather', `backend:weather ${TERM}`],
    ['backend:weather -at:>5s', `backend:weather ${TERM}`],
    ['backend:a OR backend:b', `backend:a ${TERM} OR backend:b ${TERM}`],
    ['body:"look at:5s here"', `body:"look at:5s here" ${TERM}`],
  ])('%s', (text, expected) => {
    expect(withStretch(text, stretch)).toBe(expected)
    expect(parseFilter(expected).problems).toEqual([])
    expect(stretchOf(expected)).toEqual(stretch)
  })

  it.each([
    [TERM, ''],
    [`backend:a ${TERM} OR backend:b ${TERM}`, 'backend:a OR backend:b'],
    ['backend:a', 'backend:a'],
  ])('takes it out again: %s', (text, expected) => {
    expect(withStretch(text, null)).toBe(expected)
  })

  it('matches the calls that began within it, its end excluded', () => {
    const { matches } = parseFilter(withStretch('', stretch))
    const context = { now: 0, bodyHits: new Map() }
    const began = [999_999, 1_000_000, 2_499_999, 2_500_000]
    expect(began.map((at) => matches(emptySummary(1, at), context))).toEqual([false, true, true, false])
  })
})
