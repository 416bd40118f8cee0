import { describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { plainCall, progressCall } from '../../../test/capture/call-script'
import type { CaptureEvent, CaptureHeader } from './events'
import { type CaptureEventSchema, type CaptureHeaderSchema, readEvent, readHeader } from './schema'

/** The schema and the types must know the same kinds: a difference does not compile. */
type Read = z.infer<typeof CaptureEventSchema>
type Assignable<From extends To, To> = From
export type EachKindIsRead = Assignable<CaptureEvent['kind'], Read['kind']>
export type NoKindIsInvented = Assignable<Read['kind'], CaptureEvent['kind']>
export type HeaderFits = Assignable<z.infer<typeof CaptureHeaderSchema>, CaptureHeader>

const header: CaptureHeader = {
  format: 'sluice-capture',
  version: 1,
  startedAt: '2026-08-28T14:02:11.123Z',
  gateway: { name: 'Sluice', version: '0.1.0' },
  backends: [],
  redaction: { headers: [], keys: [] },
  lost: { events: 0, bytes: 0 },
}

describe('readEvent', () => {
  it('reads every event that is written', () => {
    for (const event of [...plainCall(), ...progressCall()]) {
      expect(readEvent(JSON.parse(JSON.stringify(event)))).toEqual({ ok: true, value: event })
    }
  })

  it('keeps members that it does not know', () => {
    const event = { seq: 1, at: 0, call: 1, kind: 'response.ping', extra: { a: 1 } }
    expect(readEvent(event)).toEqual({ ok: true, value: event })
  })

  it.each([
    ['no object', 7, ''],
    ['null', null, ''],
    ['an unknown kind', { seq: 1, at: 0, call: 1, kind: 'call.exploded' }, 'kind'],
    ['no call', { seq: 1, at: 0, kind: 'response.ping' }, 'call'],
    ['a seq of zero', { seq: 0, at: 0, call: 1, kind: 'response.ping' }, 'seq'],
    ['a time that is no number', { seq: 1, at: '0', call: 1, kind: 'response.ping' }, 'at'],
    ['a seq beyond counting', { seq: 1e300, at: 0, call: 1, kind: 'response.ping' }, 'seq'],
    [
      'headers that are none',
      { seq: 1, at: 0, call: 1, kind: 'upstream.head', exchange: 1, status: 200, headers: {} },
      'headers',
    ],
  ])('refuses %s', (_name, value, path) => {
    const read = readEvent(value)
    expect(read.ok).toBe(false)
    if (!read.ok) expect(read.problem).toContain(path)
  })
})

describe('readHeader', () => {
  it('reads what is written', () => {
    expect(readHeader(header)).toEqual({ ok: true, value: header })
  })
  it.each([
    ['another format', { ...header, format: 'har' }, 'no capture'],
    ['an event', { seq: 1, at: 0, kind: 'response.ping' }, 'no capture'],
    ['a newer version', { ...header, version: 2, startedAt: 'differently' }, 'newer Sluice'],
    ['a clock that is none', { ...header, startedAt: 'yesterday' }, 'startedAt'],
  ])('refuses %s', (_name, value, words) => {
    const read = readHeader(value)
    expect(read.ok).toBe(false)
    if (!read.ok) expect(read.problem).toContain(words)
  })
})
