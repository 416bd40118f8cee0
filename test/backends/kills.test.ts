import { expect, it } from 'vitest'
import { ANY_SIGNAL, eventually, messagesOf, modernCall, partsOf, run, scripted, textResult } from './running-backend'

const KILLS = 20

it('every kill ends its calls at once, the next call is answered by the next process, and nothing is left over', async () => {
  const { backend, activities, health } = run(scripted('modern'), { timing: { restartPausesMs: [10], steadyMs: 0 } })
  await backend.discover()
  const resources = (): number => process.getActiveResourcesInfo().length
  const before = resources()
  for (let kill = 1; kill <= KILLS; kill++) {
    const calls = Array.from({ length: 5 }, () => partsOf(backend.exchange(modernCall('never'), ANY_SIGNAL)))
    process.kill(lastPid(activities), 'SIGKILL')
    for (const parts of await Promise.all(calls)) {
      const end = parts.at(-1)
      expect(end).toMatchObject({ kind: 'ended', reason: 'lost' })
    }
    const answer = await partsOf(backend.exchange(modernCall('echo', { text: String(kill) }), ANY_SIGNAL))
    expect(messagesOf(answer)).toMatchObject([textResult(String(kill))])
  }
  await health('ready')
  expect(activities.filter(({ kind }) => kind === 'exited')).toHaveLength(KILLS)
  await eventually(() => resources() <= before + 2)
}, 60_000)

function lastPid(activities: readonly { kind: string; text: string }[]): number {
  const started = activities.findLast(({ kind }) => kind === 'started' || kind === 'restarted')
  return Number(/^process (\d+)/.exec(started?.text ?? '')?.[1])
}
