import { describe, expect, it } from 'vitest'
import type { Edit } from '../../shared/capture/events'
import type { BodyText } from '../../shared/capture/record'
import { compareLegs, isMerged, messageText, withWhole } from './legs'

const body = (text: string, clipped = false): BodyText => ({ seq: 1, text, length: text.length, clipped })
const came = body('{"id":1,"n":1.0}')
const edit: Edit = { what: 'id', at: '/id', was: '1', now: '"s-17"', offset: 6 }

describe('compareLegs', () => {
  it('knows equal bodies and those that differ by named edits only', () => {
    expect(compareLegs(came, body('{"id":1,"n":1.0}'), [])).toEqual({ kind: 'same' })
    expect(compareLegs(came, body('{"id":"s-17","n":1.0}'), [edit])).toEqual({ kind: 'edited' })
  })
  it('shows what differs beyond them', () => {
    expect(compareLegs(came, body('{"id":"s-17","n":1}'), [edit])).toEqual({
      kind: 'differs',
      before: '.0',
      after: '',
      offset: 18,
    })
    expect(compareLegs(came, body(''), [])).toMatchObject({ kind: 'differs', after: '' })
  })
  it('says nothing about texts that are not here whole', () => {
    expect(compareLegs(came, body('{"id', true), [])).toEqual({ kind: 'unknown' })
    expect(compareLegs(null, came, [])).toEqual({ kind: 'none' })
  })
})

describe('isMerged', () => {
  it('is a call that went to several backends, and none that went to one or to none', () => {
    const route = { seq: 1, offset: 0, era: null, name: null, operation: 'o', round: 1, edits: [] }
    expect(isMerged({ route: { ...route, backend: null, backends: ['a', 'b'] } })).toBe(true)
    expect(isMerged({ route: { ...route, backend: null, backends: [] } })).toBe(false)
    expect(isMerged({ route: { ...route, backend: 'a', backends: ['a'] } })).toBe(false)
    expect(isMerged({ route: null })).toBe(false)
  })
})

describe('withWhole', () => {
  it('takes the whole of a clipped body once it is loaded', () => {
    const clipped = body('data: {"a', true)
    const wholes = new Map([[1, { state: 'ready' as const, text: 'data: {"a":1}' }]])
    expect(withWhole(clipped, new Map())).toBe(clipped)
    expect(withWhole(clipped, wholes, (text) => text.slice(6))).toMatchObject({ text: '{"a":1}', clipped: false })
  })
})

describe('messageText', () => {
  it('takes the data of an event and the whole of a body', () => {
    const frame = { seq: 1, offset: 0, exchange: 1, message: null }
    expect(messageText({ ...frame, form: 'event', raw: body('event: message\ndata: {"a":1}') }).text).toBe('{"a":1}')
    expect(messageText({ ...frame, form: 'body', raw: body('{"a":1}') }).text).toBe('{"a":1}')
  })
})
