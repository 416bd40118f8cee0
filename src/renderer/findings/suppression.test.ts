import { expect, it } from 'vitest'
import {
  describeSuppression,
  isSuppressed,
  MAX_SUPPRESSIONS,
  readSuppressions,
  withoutSuppression,
  withSuppression,
} from './suppression'

const everywhere = { rule: 'sse-id', backend: null, target: null }
const ofBackend = { rule: 'sse-id', backend: 'weather', target: null }
const ofTool = { rule: 'sse-id', backend: 'weather', target: 'forecast' }

it.each([
  [everywhere, { backend: 'x', target: 'y' }, true],
  [ofBackend, { backend: 'weather', target: 'y' }, true],
  [ofBackend, { backend: 'x', target: 'y' }, false],
  [ofBackend, { backend: null, target: 'y' }, false],
  [ofTool, { backend: 'weather', target: 'forecast' }, true],
  [ofTool, { backend: 'weather', target: null }, false],
])('%o hides what is at %o: %s', (one, place, hidden) => {
  expect(isSuppressed('sse-id', place, [one])).toBe(hidden)
  expect(isSuppressed('sse-retry', place, [one])).toBe(false)
})

it('a wider one takes the place of the narrower', () => {
  expect(withSuppression([ofTool, ofBackend], everywhere)).toEqual([everywhere])
  expect(withSuppression([ofBackend], ofBackend)).toEqual([ofBackend])
  expect(withSuppression([ofTool], { ...ofTool, rule: 'sse-retry' })).toHaveLength(2)
})

it('one is taken back, the others stay', () => {
  expect(withoutSuppression([ofTool, ofBackend], { ...ofTool })).toEqual([ofBackend])
})

it('what is stored is believed as far as it can be read', () => {
  const stored = [ofTool, null, { rule: 'no-such-rule' }, { rule: 'sse-id', backend: 7 }, { rule: 'sse-id' }]
  expect(readSuppressions(stored)).toEqual([ofTool, everywhere])
  expect(readSuppressions('x')).toEqual([])
  expect(readSuppressions(Array.from({ length: 2_000 }, () => everywhere))).toHaveLength(MAX_SUPPRESSIONS)
})

it('is said in words', () => {
  expect([everywhere, ofBackend, ofTool, { ...ofTool, backend: null }].map(describeSuppression)).toEqual([
    'everywhere',
    'for weather',
    'for forecast of weather',
    'for forecast',
  ])
})
