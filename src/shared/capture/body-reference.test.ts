import { describe, expect, it } from 'vitest'
import { applyEdits, resolveText } from './body-reference'
import type { CallEvent, Edit } from './events'

const body = '{"id":1,"params":{"name":"weather__forecast"},"id2":1}'

describe('applyEdits', () => {
  it('makes edits by position, in any order, with the lengths of the original', () => {
    const edits: Edit[] = [
      { what: 'name', at: '/params/name', was: '"weather__forecast"', now: '"forecast"', offset: 25 },
      { what: 'id', at: '/id', was: '1', now: '"g-12345"', offset: 6 },
    ]
    expect(applyEdits(body, edits)).toBe('{"id":"g-12345","params":{"name":"forecast"},"id2":1}')
  })

  it('inserts where nothing was, and removes where nothing is now', () => {
    const edits: Edit[] = [
      { what: 'requestState', at: '/params/requestState', now: '"requestState":"s",', offset: 18 },
      { what: 'meta', at: '/id2', was: ',"id2":1', offset: 45 },
    ]
    expect(applyEdits(body, edits)).toBe('{"id":1,"params":{"requestState":"s","name":"weather__forecast"}}')
  })

  it.each<[string, Edit]>([
    ['a header edit', { what: 'header', at: 'Mcp-Name', was: '{', now: 'x', offset: 0 }],
    ['an edit without offset', { what: 'id', at: '/id', was: '1', now: '2' }],
    ['an edit that does not fit', { what: 'id', at: '/id', was: '7', now: '2', offset: 6 }],
    ['an edit behind the end', { what: 'id', at: '/id', was: '', now: '2', offset: 999 }],
  ])('leaves out %s', (_name, edit) => {
    expect(applyEdits(body, [edit])).toBe(body)
  })

  it('leaves out the second of two edits that overlap', () => {
    const edits: Edit[] = [
      { what: 'meta', at: '/a', was: '{"id"', now: 'X', offset: 0 },
      { what: 'id', at: '/b', was: '"id"', now: 'Y', offset: 1 },
    ]
    expect(applyEdits(body, edits)).toBe(`X${body.slice(5)}`)
  })
})

describe('resolveText', () => {
  const frame: CallEvent = {
    seq: 4,
    at: 0,
    call: 1,
    kind: 'upstream.frame',
    exchange: 1,
    form: 'event',
    raw: 'id: 9\ndata: {"id":5}',
  }
  const carried: CallEvent = {
    seq: 5,
    at: 0,
    call: 1,
    kind: 'response.frame',
    form: 'event',
    message: 'result',
    rawFrom: { seq: 4, edits: [{ what: 'id', at: '/id', was: '5', now: '"a"', offset: 6 }] },
    edits: [],
  }
  it('takes the data of an SSE event as the text that positions count in', () => {
    expect(resolveText(carried, (seq) => (seq === 4 ? frame : undefined))).toBe('{"id":"a"}')
  })
  it('says which event is missing', () => {
    expect(resolveText(carried, () => undefined)).toEqual({ missing: 4 })
  })
  it('does not follow a reference to a reference', () => {
    expect(resolveText(carried, () => carried)).toEqual({ missing: 4 })
  })
  it('has nothing for events without text', () => {
    expect(resolveText({ seq: 1, at: 0, call: 1, kind: 'response.ping' }, () => undefined)).toBeUndefined()
  })
})
