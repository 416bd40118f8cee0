import { describe, expect, it } from 'vitest'
import { HttpClientError } from './http-client-error'
import { ResponseParser } from './response-parser'

/** What is heard, one line an event; parts of a body are joined. */
function heard(parts: readonly string[], closes = false): string[] {
  const log: string[] = []
  const parser = new ResponseParser({
    head: (status, headers) => log.push(`${status} ${headers.map(([name, value]) => `${name}=${value}`).join('&')}`),
    data: (bytes) => {
      const text = bytes.toString('utf8')
      if (log.at(-1)?.startsWith('body ') === true) log.push(`${String(log.pop())}${text}`)
      else log.push(`body ${text}`)
    },
    end: (reusable) => log.push(reusable ? 'end, kept' : 'end, closed'),
  })
  try {
    for (const part of parts) {
      const bytes = Buffer.from(part, 'latin1')
      parser.push(bytes)
      // As a connection does with the bytes that come next.
      bytes.fill('!')
    }
    if (closes) parser.close()
  } catch (error) {
    if (!(error instanceof HttpClientError)) throw error
    log.push(`${error.failure}: ${error.message}`)
  }
  return log
}

const head = (fields: string, status = '200 OK'): string => `HTTP/1.1 ${status}\r\n${fields}\r\n\r\n`

const WHOLE: readonly [what: string, text: string, events: string[]][] = [
  ['a body of a length', `${head('Content-Length: 5')}hello`, ['200 Content-Length=5', 'body hello', 'end, kept']],
  ['no body', head('Content-Length: 0'), ['200 Content-Length=0', 'end, kept']],
  ['204, which has no body', head('X: 1', '204 No Content'), ['204 X=1', 'end, kept']],
  [
    'chunks, with extensions and trailers',
    `${head('Transfer-Encoding: Chunked')}3;a="b"\r\nhel\r\n2 \r\nlo\r\n0\r\nX-Sum: 1\r\n\r\n`,
    ['200 Transfer-Encoding=Chunked', 'body hello', 'end, kept'],
  ],
  [
    'interim responses before it',
    `HTTP/1.1 100 Continue\r\n\r\n${head('Link: x', '103 Early Hints')}${head('Content-Length: 2')}ok`,
    ['200 Content-Length=2', 'body ok', 'end, kept'],
  ],
  [
    'a chunk size with many zeros',
    `${head('Transfer-Encoding: chunked')}0000000000000002\r\nok\r\n0000\r\n\r\n`,
    ['200 Transfer-Encoding=chunked', 'body ok', 'end, kept'],
  ],
  [
    'connection: close beside keep-alive',
    head('Connection: close\r\nConnection: keep-alive\r\nContent-Length: 0'),
    ['200 Connection=close&Connection=keep-alive&Content-Length=0', 'end, closed'],
  ],
  ['no reason phrase', 'HTTP/1.1 200\r\nContent-Length: 0\r\n\r\n', ['200 Content-Length=0', 'end, kept']],
  [
    'fields without and with white space around, and of one name',
    `${head('a:1\r\nb: \t2 \t\r\na: \r\ncontent-length: 0')}`,
    ['200 a=1&b=2&a=&content-length=0', 'end, kept'],
  ],
  [
    'connection: close',
    `${head('Connection: Close\r\nContent-Length: 1')}x`,
    ['200 Connection=Close&Content-Length=1', 'body x', 'end, closed'],
  ],
  ['HTTP/1.0', 'HTTP/1.0 200 OK\r\nContent-Length: 1\r\n\r\nx', ['200 Content-Length=1', 'body x', 'end, closed']],
  [
    'HTTP/1.0 that is kept',
    'HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 1\r\n\r\nx',
    ['200 Connection=keep-alive&Content-Length=1', 'body x', 'end, kept'],
  ],
  [
    'the same length twice',
    `${head('Content-Length: 1\r\nContent-Length: 1')}x`,
    ['200 Content-Length=1&Content-Length=1', 'body x', 'end, kept'],
  ],
]

describe('responses', () => {
  it.each(WHOLE)('reads %s, in one piece and byte by byte', (_what, text, events) => {
    expect(heard([text])).toEqual(events)
    expect(heard([...text])).toEqual(events)
  })

  it('reads one after the other', () => {
    const text = `${head('Content-Length: 1')}a`
    expect(heard([text, text])).toEqual([
      '200 Content-Length=1',
      'body a',
      'end, kept',
      '200 Content-Length=1',
      'body a',
      'end, kept',
    ])
  })

  it('reads a head again that is as the one before, cut anywhere, and one that only begins like it', () => {
    const same = `${head('X: 1\r\nContent-Length: 1')}a`
    const other = `${head('X: 1\r\nContent-Length: 1\r\nY: 2')}b`
    const events = ['200 X=1&Content-Length=1', 'body a', 'end, kept']
    const others = ['200 X=1&Content-Length=1&Y=2', 'body b', 'end, kept']
    for (let at = 1; at < same.length; at++) {
      const pieces = [same, same.slice(0, at), same.slice(at), other.slice(0, at), other.slice(at), same]
      expect(heard(pieces)).toEqual([...events, ...events, ...others, ...events])
    }
  })

  it('reads a body without a length until the connection ends', () => {
    expect(heard([`${head('X: 1')}a`, 'b'], true)).toEqual(['200 X=1', 'body ab', 'end, closed'])
  })

  it('reads text of fields as UTF-8', () => {
    expect(heard([head(`X: ${Buffer.from('Zürich').toString('latin1')}\r\nContent-Length: 0`)])[0]).toBe(
      '200 X=Zürich&Content-Length=0',
    )
  })

  it('does not take what follows a response for the next one', () => {
    const stuffed = `${head('Content-Length: 1')}a${head('Content-Length: 6')}forged`
    expect(heard([stuffed])).toEqual(['200 Content-Length=1', 'body a', 'end, closed'])
  })
})

const BROKEN: readonly [what: string, text: string, words: string][] = [
  ['something else', 'SSH-2.0-OpenSSH_9.2\r\n\r\n', 'it begins with "S'],
  ['HTTP/2', 'HTTP/2 200\r\n\r\n', 'it begins with "HTTP/2'],
  ['a status of two digits', 'HTTP/1.1 20 OK\r\n\r\n', 'it begins with'],
  ['another protocol', head('Upgrade: h2c', '101 Switching Protocols'), 'switches to another protocol'],
  ['a line without a colon', head('nothing'), 'a header line is "nothing"'],
  ['white space before the colon', head('Content-Length : 5'), 'a header line is'],
  ['a continued line', head('X: 1\r\n 2'), 'a header line is'],
  ['a bare carriage return in a value', head('X: 1\rContent-Length: 5'), 'control character'],
  ['a null in a value', head('X: a\0b'), 'control character'],
  ['a length that is no number', head('Content-Length: 5, 5'), 'Content-Length is "5, 5"'],
  ['a negative length', head('Content-Length: -1'), 'Content-Length is "-1"'],
  ['two lengths', head('Content-Length: 5\r\nContent-Length: 6'), 'two different Content-Length'],
  [
    'a length and chunks',
    head('Content-Length: 5\r\nTransfer-Encoding: chunked'),
    'both Transfer-Encoding and Content-Length',
  ],
  ['another coding', head('Transfer-Encoding: gzip, chunked'), 'Transfer-Encoding is "gzip, chunked"'],
  ['chunks twice', head('Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked'), 'Transfer-Encoding is "chunked"'],
  ['a chunk without a size', `${head('Transfer-Encoding: chunked')}\r\n`, 'a chunk begins with ""'],
  ['a chunk size with a sign', `${head('Transfer-Encoding: chunked')}+5\r\nhello\r\n`, 'a chunk begins with "+5"'],
  ['a chunk longer than its size', `${head('Transfer-Encoding: chunked')}2\r\nhello\r\n`, 'longer than'],
  ['lines that end with LF', 'HTTP/1.1 200 OK\nContent-Length: 0\n\n', 'without a carriage return'],
  ['a chunk size that ends with LF', `${head('Transfer-Encoding: chunked')}2\nok\n`, 'without a carriage return'],
  [
    'trailers without an end',
    `${head('Transfer-Encoding: chunked')}0\r\n${'X-Sum: 1\r\n'.repeat(7_000)}`,
    'longer than 65536 bytes',
  ],
  ['a head without an end', `HTTP/1.1 200 OK\r\n${'x'.repeat(70_000)}`, 'longer than 65536 bytes'],
]

describe('what is no response', () => {
  it.each(BROKEN)('%s', (_what, text, words) => {
    for (const parts of [[text], [...text]]) {
      const last = heard(parts).at(-1)
      expect(last).toMatch(/^protocol: what the server sent is no HTTP\/1\.1 response: /)
      expect(last).toContain(words)
    }
  })

  it('a bare line feed in a value', () => {
    expect(heard([head('X: 1\nContent-Length: 5')])[0]).toContain('the value of X has a control character')
  })

  it('is told as soon as it can be known, for its end may never come', () => {
    expect(heard(['J\0\0\0\n8.0.36\0'])).toEqual([
      'protocol: what the server sent is no HTTP/1.1 response: it begins with "J\\u0000\\u0000\\u0000"',
    ])
    expect(heard(['HTT', 'P/1.', '1 200 OK\r'])).toEqual([])
  })

  it.each([
    'HTTP/1.1 200',
    head('Content-Length: 5'),
    `${head('Content-Length: 5')}abc`,
    `${head('Transfer-Encoding: chunked')}5\r\nabc`,
  ])('a connection that ends after %j', (text) => {
    expect(heard([text], true).at(-1)).toBe('ended: the server closed the connection in the middle of a response')
  })

  it('is no fault when nothing has come', () => {
    expect(heard([], true)).toEqual([])
  })
})

describe('responses one after the other', () => {
  it('with the same head are read alike, each with its own body', () => {
    const one = `${head('Content-Length: 2\r\nX: 1')}ab`
    const other = `${head('Content-Length: 2\r\nX: 2')}cd`
    const first = ['200 Content-Length=2&X=1', 'body ab', 'end, kept']
    expect(heard([one, one, other, one])).toEqual([
      ...first,
      ...first,
      '200 Content-Length=2&X=2',
      'body cd',
      'end, kept',
      ...first,
    ])
  })

  it('are refused each time for a head that is no head', () => {
    const both = head('Content-Length: 2\r\nTransfer-Encoding: chunked')
    const parser = new ResponseParser({ head: () => undefined, data: () => undefined, end: () => undefined })
    for (let time = 0; time < 2; time++) expect(() => parser.push(Buffer.from(both))).toThrow('both Transfer-Encoding')
  })

  it('give lists that nobody can change for the next one', () => {
    const lists: unknown[] = []
    const parser = new ResponseParser({
      head: (_status, list) => lists.push(list),
      data: () => undefined,
      end: () => undefined,
    })
    for (let time = 0; time < 2; time++) parser.push(Buffer.from(head('Content-Length: 0')))
    expect(lists).toHaveLength(2)
    expect(Object.isFrozen(lists[1])).toBe(true)
  })
})
