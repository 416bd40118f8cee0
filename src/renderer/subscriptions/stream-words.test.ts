import { expect, it } from 'vitest'
import type { StreamSummary } from '../../shared/capture/summary'
import { flowedWords, honouredWords, refusedMembers } from './stream-words'

const listen = (more: Partial<StreamSummary> = {}): StreamSummary => ({
  kind: 'listen',
  asked: ['toolsListChanged', 'resourceSubscriptions'],
  honoured: null,
  uris: [],
  uriCount: 0,
  flowed: {},
  lastAt: null,
  resumed: false,
  ...more,
})

it('says what a stream is for', () => {
  expect(honouredWords(listen())).toBe('not acknowledged yet')
  expect(honouredWords(listen({ honoured: [] }))).toBe('nothing')
  expect(honouredWords(listen({ honoured: ['toolsListChanged', 'resourceSubscriptions', 'x'], uriCount: 1 }))).toBe(
    'tools, 1 resource, x',
  )
  expect(honouredWords(listen({ kind: 'session' }))).toContain('backends announce')
})

it('says what was asked for in vain', () => {
  expect(refusedMembers(listen())).toEqual([])
  expect(refusedMembers(listen({ honoured: ['toolsListChanged'] }))).toEqual(['single resources'])
})

it('says what flowed', () => {
  expect(flowedWords(listen({ flowed: { 'notifications/a': 1, 'notifications/b': 3, ping: 2 } }))).toEqual([
    'b × 3',
    'ping × 2',
    'a × 1',
  ])
})
