import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { SealedState } from '../../shared/capture/events'
import { callerDigest, paramsDigest } from './digests'
import { openState, sealState, MAX_STATE_LENGTH } from './request-state'
import type { StateKeys } from './state-keys'

const keys = (...kids: string[]): StateKeys => ({
  current: kids[0] ?? '',
  secrets: new Map(kids.map((kid) => [kid, new Uint8Array(randomBytes(32))])),
})
const state: SealedState = {
  version: 1,
  backend: 'booking',
  endpoint: '/mcp',
  method: 'tools/call',
  target: 'booking__book_trip',
  inner: 'v1.abc',
  paramsDigest: paramsDigest({ name: 'booking__book_trip', arguments: { to: 'Lisbon', n: 1 } }),
  callerDigest: callerDigest('Bearer me'),
  operation: 'op-1',
  round: 1,
  issuedAt: 1000,
  expiresAt: 1600,
}
const binding = {
  endpoint: state.endpoint,
  method: state.method,
  target: state.target,
  paramsDigest: state.paramsDigest,
  callerDigest: state.callerDigest,
}
const tamper = (token: string, part: number): string => {
  const parts = token.split('.')
  const bytes = Buffer.from(parts[part] ?? '', 'base64url')
  bytes[0] = (bytes[0] ?? 0) ^ 1
  parts[part] = bytes.toString('base64url')
  return parts.join('.')
}

describe('request state', () => {
  it.each([['v1.abc'], [''], [undefined], ['"\\\u0000 é 世界'], ['x'.repeat(100_000)]])(
    'round trip of inner %j',
    async (inner) => {
      const ring = keys('k1')
      const sealedState: SealedState = { ...state }
      if (inner === undefined) delete sealedState.inner
      else sealedState.inner = inner
      const { outer, kid } = await sealState(sealedState, ring)
      expect(kid).toBe('k1')
      expect(outer.split('.')).toHaveLength(5)
      if (inner !== undefined && inner.length > 3) expect(Buffer.from(outer).includes(inner)).toBe(false)
      expect(await openState(outer, ring, binding, 1599)).toEqual({ ok: true, sealed: sealedState, kid: 'k1' })
    },
  )

  it('opens states of older keys after rotation, and not those of a removed key', async () => {
    const old = keys('k1')
    const { outer } = await sealState(state, old)
    const rotated: StateKeys = { current: 'k2', secrets: new Map([...keys('k2').secrets, ...old.secrets]) }
    expect(await openState(outer, rotated, binding, 1001)).toMatchObject({ ok: true, kid: 'k1' })
    expect((await sealState(state, rotated)).kid).toBe('k2')
    expect(await openState(outer, keys('k2'), binding, 1001)).toEqual({ ok: false, reason: 'unknown_key' })
  })

  it.each(['', 'x', 'a.b.c.d.e', 'v1.eyJ9.mac', '....', 'eyJhbGciOiJkaXIifQ....', 'x'.repeat(MAX_STATE_LENGTH + 1)])(
    'malformed: %.30s',
    async (outer) =>
      expect(await openState(outer, keys('k1'), binding, 1001)).toEqual({ ok: false, reason: 'malformed' }),
  )

  it('unauthentic when any sealed byte changed, or the key with that id is another', async () => {
    const ring = keys('k1')
    const { outer } = await sealState(state, ring)
    for (const part of [2, 3, 4])
      expect(await openState(tamper(outer, part), ring, binding, 1001)).toMatchObject({
        ok: false,
        reason: 'unauthentic',
      })
    expect(await openState(outer, keys('k1'), binding, 1001)).toEqual({ ok: false, reason: 'unauthentic' })
  })

  it('expired at its end, naming both times', async () => {
    const ring = keys('k1')
    const { outer } = await sealState(state, ring)
    expect(await openState(outer, ring, binding, 1600)).toMatchObject({
      reason: 'expired',
      differs: { field: 'expiresAt', sealed: 1600, now: 1600 },
    })
  })

  it.each([
    ['callerDigest', callerDigest('Bearer other'), 'caller_mismatch'],
    ['callerDigest', null, 'caller_mismatch'],
    ['endpoint', '/mcp/booking', 'request_mismatch'],
    ['method', 'prompts/get', 'request_mismatch'],
    ['target', 'other__book_trip', 'request_mismatch'],
    ['paramsDigest', paramsDigest({ name: 'x' }), 'request_mismatch'],
  ])('a different %s (%s) is refused as %s', async (field, now, reason) => {
    const ring = keys('k1')
    const { outer } = await sealState(state, ring)
    const opened = await openState(outer, ring, { ...binding, [field]: now }, 1001)
    expect(opened).toMatchObject({ ok: false, reason, differs: { field, now } })
  })
})

describe('digests', () => {
  it('leave out what differs between rounds, and key order', () => {
    const first = { name: 'a', arguments: { x: [1, { b: 1, a: 2 }], y: null } }
    const retry = {
      arguments: { y: null, x: [1, { a: 2, b: 1 }] },
      requestState: 's',
      inputResponses: { k: {} },
      _meta: { progressToken: 2 },
      name: 'a',
    }
    expect(paramsDigest(retry)).toBe(paramsDigest(first))
  })
  it('differ for other arguments', () => {
    expect(paramsDigest({ arguments: [1, 2] })).not.toBe(paramsDigest({ arguments: [2, 1] }))
    expect(paramsDigest({ a: '1' })).not.toBe(paramsDigest({ a: 1 }))
  })
  it('no Authorization is null, an empty one is not', () => {
    expect(callerDigest(undefined)).toBeNull()
    expect(callerDigest('')).not.toBeNull()
  })
})
