import { expect, it } from 'vitest'
import { emptySummary } from '../../shared/capture/summarise'
import type { CallSummary } from '../../shared/capture/summary'
import { methodWords } from './method-words'

const words = (more: Partial<CallSummary>) => methodWords({ ...emptySummary(1, 0), era: 'legacy', ...more })

it('says what legacy clients do without a method', () => {
  const stream = {
    kind: 'session',
    asked: [],
    honoured: null,
    uris: [],
    uriCount: 0,
    flowed: {},
    lastAt: null,
  } as const
  expect(words({ method: 'ping', httpMethod: 'POST' })).toBe('ping')
  expect(words({ httpMethod: 'GET', stream: { ...stream, asked: [], uris: [], resumed: false } })).toBe(
    'stream of a session',
  )
  expect(words({ httpMethod: 'DELETE' })).toBe('end of a session')
  expect(words({ httpMethod: 'POST' })).toBe('answer')
  expect(words({ httpMethod: 'POST', era: 'modern' })).toBeNull()
  expect(words({})).toBeNull()
})
