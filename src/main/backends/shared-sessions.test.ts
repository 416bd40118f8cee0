import { expect, it } from 'vitest'
import type { HeaderList } from '../../shared/capture/events'
import type { LegacySession } from './backend'
import { SharedSessions } from './shared-sessions'

class FakeSession {
  open = true
  inFlight = 0
  close = (): Promise<void> => {
    this.open = false
    return Promise.resolve()
  }
}

function sessions(begin: () => Promise<FakeSession>): SharedSessions<FakeSession & LegacySession> {
  return new SharedSessions(begin as () => Promise<FakeSession & LegacySession>, () => undefined)
}
const as = (name: string): HeaderList => [['Authorization', name]]

it('one session for the same fields, begun once also for those who ask at the same time', async () => {
  let begun = 0
  const shared = sessions(() => {
    begun++
    return Promise.resolve(new FakeSession())
  })
  const [one, same, other] = await Promise.all([shared.get(as('a')), shared.get(as('a')), shared.get(as('b'))])
  expect(one).toBe(same)
  expect(one).not.toBe(other)
  expect(shared.known(as('a'))).toBe(one)
  expect(begun).toBe(2)
})

it('one that could not be begun, or has ended, is begun anew', async () => {
  let fail = true
  const shared = sessions(() => (fail ? Promise.reject(new Error('down')) : Promise.resolve(new FakeSession())))
  await expect(shared.get([])).rejects.toThrow('down')
  fail = false
  const session = await shared.get([])
  await session.close()
  expect(shared.known([])).toBeUndefined()
  expect(await shared.get([])).not.toBe(session)
})

it('ends the longest unused of too many, but none with calls under way', async () => {
  const shared = sessions(() => Promise.resolve(new FakeSession()))
  const first = await shared.get(as('0'))
  const busy = await shared.get(as('1'))
  busy.inFlight = 1
  const second = await shared.get(as('2'))
  for (let name = 3; name < 64; name++) await shared.get(as(String(name)))
  await shared.get(as('0'))
  await shared.get(as('one more'))
  expect([first.open, busy.open, second.open]).toEqual([true, true, false])
  expect(shared.takeAll()).toHaveLength(64)
  expect(shared.known(as('0'))).toBeUndefined()
})
