import type { IncomingMessage } from 'node:http'
import { describe, expect, it } from 'vitest'
import { allowListFor, checkHostAndOrigin } from './guards'

const allowed = allowListFor(7420, ['sluice.test:7420'], ['https://tool.test'])
const request = (raw: string[], origin?: string): IncomingMessage =>
  ({ rawHeaders: raw, headers: origin === undefined ? {} : { origin } }) as unknown as IncomingMessage
const refused = (raw: string[], origin?: string): boolean => {
  try {
    checkHostAndOrigin(request(raw, origin), allowed)
    return false
  } catch (error) {
    return error instanceof Error
  }
}

describe('checkHostAndOrigin', () => {
  it.each(['127.0.0.1:7420', 'localhost:7420', 'LOCALHOST:7420', '[::1]:7420', 'sluice.test:7420'])(
    'takes Host %s',
    (host) => expect(refused(['Host', host])).toBe(false),
  )
  it.each([
    'localhost',
    'localhost:7421',
    'localhost.evil:7420',
    'evil:7420',
    'localhost:7420.evil',
    '',
    '127.0.0.1:7420:7420',
  ])('refuses Host "%s"', (host) => expect(refused(['Host', host])).toBe(true))
  it('refuses no Host, and two, also equal ones', () => {
    expect(refused([])).toBe(true)
    expect(refused(['Host', 'localhost:7420', 'hOST', 'localhost:7420'])).toBe(true)
  })
  it.each([
    ['http://localhost:7420', false],
    ['http://127.0.0.1:7420', false],
    ['https://tool.test', false],
    ['https://localhost:7420', true],
    ['http://localhost.evil:7420', true],
    ['null', true],
    ['', true],
  ])('Origin %s', (origin, isRefused) => expect(refused(['Host', 'localhost:7420'], origin)).toBe(isRefused))
})
