import { expect, it } from 'vitest'
import type { Backend, UpstreamPart } from '../../src/main/backends/backend'
import { ANY_SIGNAL, legacyCall, messagesOf, modernCall, partsOf, run, scripted } from './running-backend'

/** With `era` given, the time for `server/discover` is none for the start. */
const QUIET = { timing: { quietMs: 60, discoverMs: 400 } }
const pidOf = (text: string): number => Number(/\d+/.exec(text)?.[0])

async function call(backend: Backend, name: string): Promise<UpstreamPart[]> {
  if (backend.state.era === 'modern') return partsOf(backend.exchange(modernCall(name), ANY_SIGNAL))
  return partsOf((await backend.shared([])).exchange(legacyCall(name), ANY_SIGNAL))
}

it.each([
  ['modern', 'server/discover'],
  ['legacy', 'ping'],
])('a stopped process of the %s era is degraded while calls wait, and ready when it goes on', async (era, question) => {
  const { backend, activity, health } = run({ ...scripted(era), era }, QUIET)
  expect(await backend.discover()).toMatchObject({ health: 'ready' })
  const pid = pidOf((await activity('started')).text)
  process.kill(pid, 'SIGSTOP')
  const calls = [call(backend, 'x'), call(backend, 'y')]
  expect((await health('degraded')).reason).toMatch(
    new RegExp(`^it has not answered 2 calls for \\d+ s, nor ${question}: it is stopped, or busy`),
  )
  process.kill(pid, 'SIGCONT')
  expect(messagesOf((await Promise.all(calls)).flat())).toHaveLength(2)
  expect(await health('ready')).not.toHaveProperty('reason')
})

it('a process whose tool takes its time answers that it is there, and stays ready', async () => {
  const { backend, states, activities, activity } = run(
    { ...scripted('modern'), era: 'modern' },
    { timing: { quietMs: 60, discoverMs: 5_000 } },
  )
  await backend.discover()
  const never = call(backend, 'never')
  await activity('stderr', 'sluice-alive-2')
  await backend.close()
  expect((await never).at(-1)).toMatchObject({ reason: 'lost' })
  expect(states.map(({ health }) => health)).not.toContain('degraded')
  expect(activities.filter(({ kind }) => kind === 'noise')).toEqual([])
})

it('a stopped process is ended and started again by hand', async () => {
  const { backend, activity, health } = run({ ...scripted('modern'), era: 'modern' }, QUIET)
  await backend.discover()
  process.kill(pidOf((await activity('started')).text), 'SIGSTOP')
  const lost = call(backend, 'x')
  await health('degraded')
  await backend.restart?.()
  expect((await lost).at(-1)).toMatchObject({ reason: 'lost', detail: 'the server is started again by hand' })
  expect(backend.state.health).toBe('ready')
})
