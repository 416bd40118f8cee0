import { expect, it } from 'vitest'
import type { BackendHealth } from '../shared/capture/events'
import { tellBackends } from './tell-backends'

function gatewayOf(names: string[]) {
  const states = new Map<string, { health: BackendHealth; reason: string }>(
    names.map((name) => [name, { health: 'starting', reason: '' }]),
  )
  let listener = (): void => undefined
  return {
    backends: () =>
      [...states].map(([name, { health, reason }]) => ({
        name,
        state: { health, era: null, changedAt: 0, ...(reason !== '' && { reason }) },
      })),
    onBackends: (given: () => void) => {
      listener = given
      return () => (listener = () => undefined)
    },
    set: (name: string, health: BackendHealth, reason = '') => {
      states.set(name, { health, reason })
      listener()
    },
    remove: (name: string) => {
      states.delete(name)
      listener()
    },
  }
}

it('says once that a backend cannot be used and why, and once that it is there again', () => {
  const gateway = gatewayOf(['weather', 'files'])
  const texts: string[] = []
  const stop = tellBackends(gateway, ({ level, text }) => texts.push(`${level}: ${text}`))
  expect(texts).toEqual([])
  gateway.set('files', 'ready')
  gateway.set('weather', 'down', 'friday.ndjson does not exist')
  gateway.set('weather', 'down', 'another reason')
  gateway.set('weather', 'starting')
  gateway.set('weather', 'down', 'and again')
  expect(texts.splice(0)).toEqual(['warning: backend "weather" is down: friday.ndjson does not exist'])
  gateway.set('weather', 'ready')
  gateway.set('weather', 'ready')
  expect(texts.splice(0)).toEqual(['info: backend "weather" is there again'])
  gateway.set('weather', 'needs-sign-in')
  gateway.remove('weather')
  gateway.set('weather', 'needs-sign-in')
  expect(texts.splice(0)).toEqual(Array(2).fill('warning: backend "weather" wants credentials'))
  stop()
  gateway.set('weather', 'down')
  expect(texts).toEqual([])
})
