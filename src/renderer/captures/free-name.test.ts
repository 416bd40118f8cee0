import { expect, it } from 'vitest'
import { checkName } from '../backends/check-backend'
import { freeName } from './free-name'

it('is the recorded name, or one beside those that are taken', () => {
  expect(freeName('weather', ['files'])).toBe('weather')
  expect(freeName('weather', ['weather'])).toBe('weather-recorded')
  expect(freeName('weather', ['weather', 'weather-recorded'])).toBe('weather-recorded-2')
})

it('is a name that a backend may have, also beside a long one', () => {
  const long = 'n'.repeat(64)
  const taken = [long]
  for (let time = 0; time < 3; time++) {
    const name = freeName(long, taken)
    expect(checkName(name, taken)).toBeNull()
    taken.push(name)
  }
})
