import { describe, expect, it } from 'vitest'
import { emptyRecord } from '../../shared/capture/empty-record'
import type { HeaderList } from '../../shared/capture/events'
import { addedToRequest, addedToResponse } from './added-fields'

const sent = (headers: HeaderList, text: string | null, clipped = false) => ({
  seq: 2,
  offset: 0,
  again: null,
  http: { method: 'POST', url: 'http://127.0.0.1:3001/mcp', headers },
  body: text === null ? null : { seq: 2, text, length: text.length, clipped },
})

describe('fields that the connection adds', () => {
  it('counts the bytes of a body, and names the host with its port', () => {
    expect(addedToRequest(sent([['accept', 'application/json']], '{"a":"ö"}'))).toEqual([
      ['host', '127.0.0.1:3001'],
      ['connection', 'keep-alive'],
      ['content-length', '10'],
    ])
  })

  it('adds no length without a body, invents none for a clipped one, and repeats nothing that was recorded', () => {
    expect(addedToRequest(sent([['Host', 'other']], null))).toEqual([['connection', 'keep-alive']])
    expect(addedToRequest(sent([], 'ab', true)).at(-1)).toEqual(['content-length', 'length of the body'])
  })

  it('tells of an answer that a stream is chunked, and that a client that closes gets no keep-alive', () => {
    const record = emptyRecord([])
    expect(addedToResponse(record, 0)).toEqual([])
    record.receivedAt = 1_000_000
    const headers: HeaderList = [['content-type', 'text/event-stream']]
    record.response.commit = { seq: 3, offset: 500_000, form: 'sse', status: 200, cause: 'mode', headers }
    expect(addedToResponse(record, Date.UTC(2026, 6, 28))).toEqual([
      ['Date', 'Tue, 28 Jul 2026 00:00:01 GMT'],
      ['Connection', 'keep-alive'],
      ['Keep-Alive', 'timeout=75'],
      ['Transfer-Encoding', 'chunked'],
    ])
    record.response.commit.headers = [['content-length', '2']]
    const http = { method: 'POST', path: '/mcp', headers: [['connection', 'close']] as HeaderList }
    const body = { seq: 1, text: '', length: 0, clipped: false }
    record.request = { seq: 1, http, body, message: { kind: 'unreadable', problem: '' } as never }
    expect(addedToResponse(record, 0).map(([name]) => name)).toEqual(['Date', 'Connection'])
  })
})
