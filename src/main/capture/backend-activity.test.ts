import { expect, it } from 'vitest'
import type { BackendActivity } from '../../shared/api/contract'
import type { BackendEvent } from '../../shared/capture/events'
import { BackendActivityLog, KEPT_LINES } from './backend-activity'

const event = (seq: number, kind: BackendEvent['kind'], more: Partial<BackendEvent> = {}): BackendEvent => ({
  seq,
  at: seq * 10,
  kind,
  backend: 'files',
  ...more,
})

it('says in a line what happened', () => {
  const log = new BackendActivityLog()
  const heard: [string, BackendActivity][] = []
  log.onLine((backend, line) => heard.push([backend, line]))
  log.add(event(1, 'backend.started', { url: 'http://h/mcp' }))
  log.add(event(2, 'backend.exited', { text: 'process 7 exited with code 1' }))
  log.add(event(3, 'backend.probed', { health: 'ready', era: 'legacy' }))
  log.add(event(4, 'backend.catalog'))
  expect(log.of('files')).toEqual([
    { seq: 1, at: 10, kind: 'started', text: 'http://h/mcp' },
    { seq: 2, at: 20, kind: 'exited', text: 'process 7 exited with code 1' },
    { seq: 3, at: 30, kind: 'state', text: 'ready, era legacy' },
  ])
  expect(heard.map(([backend, { seq }]) => [backend, seq])).toEqual([
    ['files', 1],
    ['files', 2],
    ['files', 3],
  ])
  expect(log.of('other')).toEqual([])
})

it('stays small: the last lines, each cut', () => {
  const log = new BackendActivityLog()
  for (let seq = 1; seq <= 3 * KEPT_LINES + 5; seq++)
    log.add(event(seq, 'backend.stderr', { text: 'x'.repeat(10_000) }))
  const lines = log.of('files')
  expect(lines).toHaveLength(KEPT_LINES)
  expect(lines.at(-1)?.seq).toBe(3 * KEPT_LINES + 5)
  expect(lines.at(-1)?.text.length).toBeLessThan(4_100)
  expect(lines.at(-1)?.text).toMatch(/\(10000 characters\)$/)
})

it('forgets backends when there were very many', () => {
  const log = new BackendActivityLog()
  for (let count = 0; count < 300; count++)
    log.add(event(count + 1, 'backend.stderr', { backend: `b${count}`, text: 'x' }))
  expect(log.of('b0')).toEqual([])
  expect(log.of('b299')).toHaveLength(1)
})
