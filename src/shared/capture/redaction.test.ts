import { describe, expect, it } from 'vitest'
import { CallScript, plainCall } from '../../../test/capture/call-script'
import { resolveText } from './body-reference'
import type { CallEvent, CaptureEvent, Edit, HeaderList, SealedState } from './events'
import { foldCall } from './fold'
import { redactEvent, RedactionMemory } from './redaction'
import { redactionRules } from './redaction-rules'

const plain = redactionRules()
const withKeys = redactionRules({ headers: ['X-Tenant'], keys: ['password', 'requestState'] })

function headersOf(headers: HeaderList, rules = plain): HeaderList {
  const event = redactEvent({ seq: 1, at: 0, call: 1, kind: 'upstream.head', exchange: 1, status: 200, headers }, rules)
  if (event.kind !== 'upstream.head') throw new Error('another event')
  return event.headers
}

describe('header fields', () => {
  it.each([
    ['Authorization', 'Bearer abcdefghij', 'Bearer «redacted 16»'],
    ['authorization', 'abcdefghij', '«redacted 16»'],
    ['AUTHORIZATION', 'Unknown abcdefg', '«redacted 16»'],
    ['Cookie', 'a=b; c=d', '«redacted 8»'],
    ['Set-Cookie', 'a=b', '«redacted 4»'],
    ['Proxy-Authorization', 'Basic YTpi', 'Basic «redacted 4»'],
    ['X-Api-Key', 'k', '«redacted 1»'],
    ['Mcp-Session-Id', '12345', '«redacted 8»'],
    ['Cookie', '', ''],
    ['Cookie', '«redacted 8»', '«redacted 8»'],
    ['Content-Type', 'application/json', 'application/json'],
    ['Mcp-Name', 'Bearer x', 'Bearer x'],
  ])('%s: %s', (name, value, expected) => {
    expect(headersOf([[name, value]])).toEqual([[name, expected]])
  })

  it('keeps order, spelling and duplicates', () => {
    const headers: HeaderList = [
      ['B', '1'],
      ['COOKIE', 'abc'],
      ['b', '2'],
      ['cookie', 'abcd'],
    ]
    expect(headersOf(headers).map(([name]) => name)).toEqual(['B', 'COOKIE', 'b', 'cookie'])
  })

  it('redacts what is configured, and parameters that mirror configured keys', () => {
    expect(
      headersOf(
        [
          ['x-tenant', 'a'],
          ['Mcp-Param-Password', 'b'],
        ],
        withKeys,
      ),
    ).toEqual([
      ['x-tenant', '«redacted 1»'],
      ['Mcp-Param-Password', '«redacted 1»'],
    ])
  })

  it('gives an event without secrets back as it is', () => {
    for (const event of plainCall()) expect(redactEvent(event, plain)).toBe(event)
  })

  it('redacts edits of header fields', () => {
    const edits: Edit[] = [{ what: 'header', at: 'Authorization', was: 'Bearer abc', now: 'Bearer def' }]
    const event = redactEvent(new CallScript().routed({ edits }).events[0] as CaptureEvent, plain)
    expect(JSON.stringify(event)).not.toMatch(/abc|def/)
  })
})

describe('secrets in header fields of any name', () => {
  it.each([
    [
      'Referer',
      'http://u:pass@h/p?token=abc&x=1#access_token=abcd',
      'http://«redacted 8»@h/p?token=«redacted 4»&x=1#access_token=«redacted 4»',
    ],
    ['Location', '/next?Api-Key=abc', '/next?Api-Key=«redacted 4»'],
    ['X-Note', 'sent Bearer abcdef', 'sent Bearer «redacted 8»'],
    ['WWW-Authenticate', 'Bearer realm="x", error="invalid_token"', 'Bearer realm="x", error="invalid_token"'],
    ['WWW-Authenticate', 'Bearer realm="x", token="abc"', 'Bearer realm="x", token="«redacted 4»"'],
    ['WWW-Authenticate', 'Bearer token=abc, x=1', 'Bearer token=«redacted 4», x=1'],
    ['Link', '<http://h/?sig=abc>; rel="next"', '<http://h/?sig=«redacted 4»>; rel="next"'],
  ])('%s: %s', (name, value, expected) => {
    expect(headersOf([[name, value]])).toEqual([[name, expected]])
    expect(headersOf([[name, expected]])).toEqual([[name, expected]])
  })

  it('are redacted where the configuration sets them, in requests to backends and in edits of them', () => {
    const rules = redactionRules({ sent: ['X-Other'] })
    const headers: HeaderList = [['x-other', 'abc']]
    const edits: Edit[] = [{ what: 'header', at: 'X-Other', now: 'abc' }]
    const http = { method: 'POST', url: 'http://h/', headers }
    const script = new CallScript({ headers }).received().routed({ edits })
    script.push({ kind: 'upstream.sent', exchange: 1, backend: 'b', http, body: '{}' })
    const [received, routed, sent] = script.events.map((event) => redactEvent(event, rules))
    // A client's own field of this name is another one.
    expect(received).toMatchObject({ http: { headers } })
    expect(routed).toMatchObject({ edits: [{ now: '«redacted 4»' }] })
    expect(sent).toMatchObject({ http: { headers: [['x-other', '«redacted 4»']] } })
  })
})

describe('URLs', () => {
  it.each([
    ['http://h/p?access_token=abc&x=1', 'http://h/p?access_token=«redacted 4»&x=1'],
    ['http://h/p?x=1&ACCESS%5Ftoken=abc#f', 'http://h/p?x=1&ACCESS%5Ftoken=«redacted 4»#f'],
    ['http://user:pass@h/p', 'http://«redacted 16»@h/p'],
    ['http://h/p?x=a@b', 'http://h/p?x=a@b'],
    ['http://h/p?token', 'http://h/p?token'],
    ['http://h/p?%zz=1&token=a', 'http://h/p?%zz=1&token=«redacted 1»'],
    ['http://h/p#token=abc', 'http://h/p#token=«redacted 4»'],
    ['http://a@b:c@h/p', 'http://«redacted 8»@h/p'],
    ['/mcp', '/mcp'],
  ])('%s', (url, expected) => {
    const event: CaptureEvent = { seq: 1, at: 0, kind: 'backend.probed', backend: 'b', url }
    expect(redactEvent(event, plain)).toMatchObject({ url: expected })
  })

  it('covers what a server says of itself', () => {
    const result = '{"capabilities":{"experimental":{"api_key":"hunter2"}}}'
    const event: CaptureEvent = { seq: 1, at: 0, kind: 'backend.probed', backend: 'b', result }
    expect(JSON.stringify(redactEvent(event, redactionRules({ keys: ['api_key'] })))).not.toContain('hunter2')
  })

  it.each([
    ['GET http://h/?access_token=abc failed', 'GET http://h/?access_token=«redacted 4» failed'],
    ['sent "Authorization: Bearer abcdef"', 'sent "Authorization: Bearer «redacted 8»"'],
    ['http://user:pass@h/ refused', 'http://«redacted 16»@h/ refused'],
    ['invalid (token=abc) token="abc"', 'invalid (token=«redacted 4») token="«redacted 4»"'],
    ['a bearer of news', 'a bearer of news'],
    ['x=1&y=2', 'x=1&y=2'],
  ])('are found in text for people: %s', (text, expected) => {
    const notice: CaptureEvent = { seq: 1, at: 0, kind: 'backend.stderr', backend: 'b', text, reason: text }
    expect(redactEvent(notice, plain)).toMatchObject({ text: expected, reason: expected })
    const ended: CaptureEvent = {
      seq: 1,
      at: 0,
      call: 1,
      kind: 'call.ended',
      outcome: 'error',
      by: 'backend',
      detail: text,
    }
    expect(redactEvent({ ...ended, error: { code: 1, message: text } }, plain)).toMatchObject({
      detail: expected,
      error: { message: expected },
    })
    const lost: CaptureEvent = {
      seq: 1,
      at: 0,
      call: 1,
      kind: 'upstream.ended',
      exchange: 1,
      reason: 'lost',
      detail: text,
    }
    expect(redactEvent(lost, plain)).toMatchObject({ detail: expected })
  })

  it('takes configured keys as names of parameters', () => {
    const event = new CallScript().received({ http: { method: 'POST', path: '/mcp?password=abc', headers: [] } })
      .events[0]
    expect(redactEvent(event as CaptureEvent, withKeys)).toMatchObject({ http: { path: '/mcp?password=«redacted 4»' } })
  })
})

describe('configured keys', () => {
  const secret = 'hunter2-hunter2-hunter2'

  function redactAll(events: readonly CallEvent[]): CallEvent[] {
    const memory = new RedactionMemory()
    return events.map((event) => redactEvent(event, withKeys, memory) as CallEvent)
  }

  it('reach bodies, frames and references, and positions behind a secret still fit', () => {
    const script = new CallScript({ params: { arguments: { password: secret }, name: 'weather__login' } }).received()
    const received = script.events[0]
    if (received?.kind !== 'call.received') throw new Error('no request')
    const offset = received.body.indexOf('"weather__login"')
    const edits: Edit[] = [{ what: 'name', at: '/params/name', was: '"weather__login"', now: '"login"', offset }]
    script.routed({ edits })
    const http = { method: 'POST', url: 'http://h/', headers: [] }
    script.push({ kind: 'upstream.sent', exchange: 1, backend: 'weather', http, bodyFrom: { seq: 1, edits } })
    const answer = JSON.stringify({ jsonrpc: '2.0', result: { password: secret }, id: 'g1' })
    const idEdit: Edit[] = [{ what: 'id', at: '/id', was: '"g1"', now: '1', offset: answer.indexOf('"g1"') }]
    script.upstream(`event: message\ndata: ${answer}`)
    script.push({
      kind: 'response.frame',
      form: 'event',
      message: 'result',
      rawFrom: { seq: 4, edits: idEdit },
      edits: idEdit,
    })
    const events = redactAll(script.events)
    expect(JSON.stringify(events)).not.toContain('hunter')
    const find = (seq: number): CallEvent | undefined => events.find((event) => event.seq === seq)
    const sent = resolveText(events[2] as CallEvent, find)
    expect(JSON.parse(sent as string)).toMatchObject({
      params: { name: 'login', arguments: { password: '«redacted 32»' } },
    })
    expect(JSON.parse(resolveText(events[4] as CallEvent, find) as string)).toEqual({
      jsonrpc: '2.0',
      result: { password: '«redacted 32»' },
      id: 1,
    })
    expect(foldCall(events).timeline.at(-1)?.kind).toBe('result')
  })

  it('bring with them the URLs and credentials in strings, also in JSON that is text', () => {
    const inner = JSON.stringify({ u: 'https://user:pass@h/' })
    const raw = JSON.stringify({ a: `see http://h/?token=abc&x=1`, b: inner, c: 'Bearer abcdef', d: 'a=b, c@d' })
    const [event] = redactAll([{ seq: 1, at: 0, call: 1, kind: 'upstream.frame', exchange: 1, form: 'body', raw }])
    expect(JSON.parse((event as { raw: string }).raw)).toEqual({
      a: 'see http://h/?token=«redacted 4»&x=1',
      b: JSON.stringify({ u: 'https://«redacted 16»@h/' }),
      c: 'Bearer «redacted 8»',
      d: 'a=b, c@d',
    })
  })

  it('count in every spelling', () => {
    const rules = redactionRules({ keys: ['api_key'] })
    const raw = '{"x-api-key":"abc","apiKey":"abc","API-KEY":"abc","X_Api_Key":"abc","key":"abc"}'
    const event = redactEvent({ seq: 1, at: 0, call: 1, kind: 'upstream.frame', exchange: 1, form: 'body', raw }, rules)
    expect((event as { raw: string }).raw.match(/abc/g)).toEqual(['abc'])
  })

  it('reach data that is spread over lines of an SSE event', () => {
    const raw = `data: {"a":{"password":\r\ndata: "${secret}"\r\nid: 3\r\ndata: },"b":2}`
    const [event] = redactAll([{ seq: 1, at: 0, call: 1, kind: 'upstream.frame', exchange: 1, form: 'event', raw }])
    expect(event).toMatchObject({ raw: 'data: {"a":{"password":\r\ndata: "«redacted 32»"\r\nid: 3\r\ndata: },"b":2}' })
  })

  it('reach a secret that is itself spread over lines', () => {
    const raw = `data: {"password":["${secret}",\ndata: "${secret}"],"b":2}`
    const [event] = redactAll([{ seq: 1, at: 0, call: 1, kind: 'upstream.frame', exchange: 1, form: 'event', raw }])
    expect(event).toMatchObject({ raw: 'data: {"password":"«redacted 64»","b":2}' })
  })

  it('drop an edit that lies inside a secret, from texts and from the list of edits', () => {
    const script = new CallScript({ params: { name: 'x', requestState: secret } }).received()
    const received = script.events[0]
    if (received?.kind !== 'call.received') throw new Error('no request')
    const offset = received.body.indexOf(`"${secret}"`)
    const edits: Edit[] = [
      { what: 'requestState', at: '/params/requestState', was: `"${secret}"`, now: '"inner"', offset },
    ]
    script.routed({ edits })
    const http = { method: 'POST', url: 'http://h/', headers: [] }
    script.push({ kind: 'upstream.sent', exchange: 1, backend: 'weather', http, bodyFrom: { seq: 1, edits } })
    const events = redactAll(script.events)
    expect(JSON.stringify(events)).not.toMatch(/hunter|inner/)
    expect(resolveText(events[2] as CallEvent, () => events[0])).toContain('«redacted 32»')
  })

  it('reach states, notices of backends and inserted members', () => {
    const sealed: SealedState = {
      version: 1,
      backend: 'b',
      endpoint: '/mcp',
      method: 'tools/call',
      target: 't',
      inner: secret,
      paramsDigest: 'd',
      callerDigest: null,
      operation: 'o',
      round: 1,
      issuedAt: 0,
      expiresAt: 1,
    }
    const script = new CallScript()
    script.push({ kind: 'state.sealed', outer: secret, kid: 'k', sealed })
    script.push({ kind: 'state.refused', outer: secret, reason: 'expired', sealed })
    script.routed({ edits: [{ what: 'meta', at: '/params', now: `,"requestState":"${secret}"`, offset: 3 }] })
    const notice: CaptureEvent = {
      seq: 9,
      at: 0,
      kind: 'backend.stderr',
      backend: 'b',
      text: `{"password":"${secret}"}`,
    }
    expect(JSON.stringify([...redactAll(script.events), redactEvent(notice, withKeys)])).not.toContain('hunter')
  })
})
