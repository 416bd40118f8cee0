import { describe, expect, it } from 'vitest'
import { eventType, SseLimitError, SseSplitter, streamFields, type SsePiece } from './sse-splitter'

function run(chunks: (string | Uint8Array)[], limit = 1000) {
  const splitter = new SseSplitter(limit)
  const pieces: SsePiece[] = []
  for (const chunk of chunks) pieces.push(...splitter.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk))
  const { pieces: last, unfinished } = splitter.end()
  return { pieces: [...pieces, ...last], unfinished }
}
const event = (data: string, raw = `data: ${data}`): SsePiece => ({ form: 'event', raw, data })

describe('SseSplitter', () => {
  it.each([
    ['LF', 'data: a\n\ndata: b\n\n'],
    ['CR', 'data: a\r\rdata: b\r\r'],
    ['CRLF', 'data: a\r\n\r\ndata: b\r\n\r\n'],
    ['mixed', 'data: a\r\n\rdata: b\n\r\n'],
    ['with a byte order mark', '\ufeffdata: a\n\ndata: b\n\n'],
  ])('%s line ends, in one chunk and byte by byte', (_name, text) => {
    const expected = { pieces: [event('a'), event('b')], unfinished: undefined }
    expect(run([text])).toEqual(expected)
    expect(run([...Buffer.from(text)].map((byte) => Uint8Array.of(byte)))).toEqual(expected)
  })

  it('keeps code points that chunks cut', () => {
    const bytes = Buffer.from('data: "é世😀"\n\n')
    for (let cut = 1; cut < bytes.length; cut++)
      expect(run([bytes.subarray(0, cut), bytes.subarray(cut)]).pieces).toEqual([event('"é世😀"')])
  })

  it('joins data lines, keeps raw, id and retry visible', () => {
    expect(run(['event: message\nid: 7\nretry: 5\ndata: {"a":\ndata:1}\n\n']).pieces).toEqual([
      event('{"a":\n1}', 'event: message\nid: 7\nretry: 5\ndata: {"a":\ndata:1}'),
    ])
    expect(run(['data\n\n', 'id: 1\n\n']).pieces).toEqual([
      { form: 'event', raw: 'data', data: '' },
      { form: 'event', raw: 'id: 1' },
    ])
  })

  it('comments are pieces of their own, also inside an event', () => {
    expect(run([': ping\n\n:\ndata: a\n: in\n\n']).pieces).toEqual([
      { form: 'comment', raw: ': ping' },
      { form: 'comment', raw: ':' },
      { form: 'comment', raw: ': in' },
      event('a'),
    ])
  })

  it('finds JSON without framing, with and without a line end', () => {
    const json = '{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"x"}}'
    const body: SsePiece = { form: 'body', raw: json, data: json }
    expect(run([`data: a\n\n${json}`]).pieces).toEqual([event('a'), body])
    expect(run([`data: a\n\n${json}\n`]).pieces).toEqual([event('a'), body])
    expect(run(['{"cut":']).unfinished).toBe('{"cut":')
  })

  it('reports the event that the end cut off', () => {
    expect(run(['data: a\n\ndata: {"x"'])).toEqual({ pieces: [event('a')], unfinished: 'data: {"x"' })
  })

  it('bounds an event in bytes, over one line or many, finished or not', () => {
    expect(() => run([`data: ${'x'.repeat(2000)}`])).toThrow(SseLimitError)
    expect(() => run([`data: ${'x'.repeat(2000)}\n\n`])).toThrow(SseLimitError)
    expect(() => run([`data: ${'é'.repeat(500)}\n\n`])).toThrow(SseLimitError)
    expect(() => run(Array.from({ length: 300 }, () => 'data: xxxxxxx\n'))).toThrow(SseLimitError)
    expect(run(Array.from({ length: 300 }, () => 'data: x\n\n')).pieces).toHaveLength(300)
  })
})

describe('the fields of an event', () => {
  it.each([
    ['id: 7\nretry: 50\ndata: x', { id: '7', retryMs: 50 }],
    ['id:7', { id: '7' }],
    ['id\ndata: x', { id: '' }],
    ['id: a\0b\nretry: soon', {}],
    ['data: id: 7', {}],
    ['identity: 7', {}],
  ])('%j', (raw, fields) => {
    expect(streamFields(raw)).toEqual(fields)
  })

  it('an event is a message unless it says another type', () => {
    expect(eventType('data: x')).toBe('message')
    expect(eventType('event: endpoint\ndata: x')).toBe('endpoint')
    expect(eventType('event:\ndata: x')).toBe('message')
  })
})
