import { describe, expect, it } from 'vitest'
import { COMPOSE_REQUEST_SCHEMAS } from './compose-schemas'

const REQUEST = {
  endpoint: '/mcp',
  era: 'modern',
  method: 'tools/call',
  params: '{}',
  settings: { capabilities: {}, logLevel: null, progress: false, headers: [] as object[], meta: {} },
}
const send = COMPOSE_REQUEST_SCHEMAS['compose.send']

describe('a request goes to an endpoint of this gateway only', () => {
  it.each(['/mcp', '/mcp/weather'])('%s is one', (endpoint) => {
    expect(send.safeParse({ ...REQUEST, endpoint }).success).toBe(true)
  })
  it.each([
    'http://example.com/mcp',
    '//example.com/mcp',
    '/mcp/../admin',
    '/mcp/a/b',
    '/mcp?x=1',
    '/other',
    '/mcp/',
    'mcp',
  ])('%s is none', (endpoint) => {
    expect(send.safeParse({ ...REQUEST, endpoint }).success).toBe(false)
  })
})

describe('a question for completion', () => {
  const parse = (ref: unknown) =>
    COMPOSE_REQUEST_SCHEMAS['compose.complete'].safeParse({
      endpoint: '/mcp',
      era: 'modern',
      ref,
      argument: { name: 'city', value: 'O' },
      known: {},
    }).success

  it.each([
    { type: 'ref/prompt', name: 'a' },
    { type: 'ref/resource', uri: 'a://{b}' },
  ])('is about %j', (ref) => expect(parse(ref)).toBe(true))
  it.each([{ type: 'ref/prompt', uri: 'a://b' }, { type: 'ref/tool', name: 'a' }, 'a'])('is not about %j', (ref) =>
    expect(parse(ref)).toBe(false),
  )
})

describe('header fields', () => {
  const parse = (name: string, value: string) =>
    send.safeParse({ ...REQUEST, settings: { ...REQUEST.settings, headers: [{ name, value }] } }).success

  it('of the protocol may be replaced', () => expect(parse('MCP-Protocol-Version', '2024-11-05')).toBe(true))
  it.each(['Host', 'Content-Length', 'Transfer-Encoding', 'Connection', 'a b', ''])('"%s" may not', (name) =>
    expect(parse(name, 'x')).toBe(false),
  )
  it.each(['a\r\nX: y', 'a\0', '\u20ac'])('hold no %j', (value) => expect(parse('X', value)).toBe(false))
})

it.each(['', '[]', '1', '{', 'null'])('params %j are no object', (params) => {
  expect(send.safeParse({ ...REQUEST, params }).success).toBe(false)
})
