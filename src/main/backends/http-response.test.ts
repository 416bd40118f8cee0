import { expect, it } from 'vitest'
import { HttpResponse, type ResponseSink } from './http-response'
import type { SsePiece } from './sse-splitter'

/** What is heard of a plain body. */
function read(body: Buffer): { pieces: SsePiece[]; detail: string | undefined } {
  const pieces: SsePiece[] = []
  let detail: string | undefined
  const sink: ResponseSink = {
    head: () => undefined,
    piece: (piece) => pieces.push(piece),
    ended: (_reason, words) => (detail = words),
  }
  const response = new HttpResponse(1_000_000, sink, () => undefined)
  response.head(200, [['content-type', 'application/json']])
  response.data(body)
  response.ended()
  return { pieces, detail }
}

it('keeps the bytes of a body that is not valid UTF-8, of a long one the first', () => {
  const latin = Buffer.from('{"city":"Zürich"}', 'latin1')
  expect(read(latin)).toEqual({
    pieces: [
      { form: 'body', raw: '{"city":"Z\ufffdrich"}', data: '{"city":"Z\ufffdrich"}', bytes: latin.toString('base64') },
    ],
    detail: 'the body is not valid UTF-8',
  })
  const [piece] = read(Buffer.alloc(200_000, 0xff)).pieces
  expect(piece?.form === 'body' && Buffer.from(piece.bytes ?? '', 'base64').length).toBe(65_536)
})

it('keeps none of a body that is text', () => {
  const text = '{"city":"Zürich"}'
  expect(read(Buffer.from(text))).toEqual({ pieces: [{ form: 'body', raw: text, data: text }], detail: undefined })
})

it('says of a server without TLS what to change, not what OpenSSL says', () => {
  let heard: unknown
  const sink: ResponseSink = { head: () => undefined, piece: () => undefined, ended: (...end) => (heard = end) }
  const words = 'write EPROTO 80CC:error:0A00010B:SSL routines:wrong version number:../deps/openssl/record.c:350:\n'
  const response = new HttpResponse(1_000, sink, () => undefined)
  response.failed(Object.assign(new Error(words), { code: 'EPROTO' }))
  expect(heard).toEqual(['lost', 'no TLS connection (EPROTO); if it speaks plain HTTP, its URL begins with http://'])
})
