import { describe, expect, it } from 'vitest'
import { contradictsModern, readInitialize, saysSessionUnknown } from './era'

const error = (code: number, message = 'x'): string =>
  JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message } })

describe('what an answer to a modern request says of the era', () => {
  it.each([
    [400, '', true],
    [404, '<html>', true],
    [405, error(-32000), true],
    [400, error(-32000, 'Bad Request: No valid session ID provided'), true],
    [400, error(-32600), true],
    [404, error(-32001), true],
    [404, error(-32601), false],
    [400, error(-32602), false],
    [400, error(-32022), false],
    [400, error(-32020), false],
    [200, error(-32000), false],
    [500, '', false],
    [401, '', false],
  ])('%i %s: the other era is %s', (status, body, expected) => {
    expect(contradictsModern(status, body)).toBe(expected)
  })
})

describe('whether an answer says that the session is not known', () => {
  it.each([
    [404, '', true],
    [404, error(-32001, 'Session not found'), true],
    [404, error(-32601), false],
    [400, error(-32000, 'Bad Request: No valid session ID provided'), true],
    [400, error(-32000, 'Bad Request: Unsupported protocol version'), false],
    [400, error(-32602, 'session'), false],
    [400, 'session', false],
    [500, error(-32000, 'session'), false],
  ])('%i %s: %s', (status, body, expected) => {
    expect(saysSessionUnknown(status, body)).toBe(expected)
  })
})

it('reads what there is of an answer to initialize', () => {
  const result = { protocolVersion: '2024-11-05' }
  expect(readInitialize({ status: 200, message: { result } })).toEqual({
    initialized: { protocolVersion: '2024-11-05', capabilities: {}, raw: result },
  })
  const odd = { protocolVersion: '2025-11-25', capabilities: [], serverInfo: { name: 5 }, instructions: {} }
  expect(readInitialize({ status: 200, message: { result: odd } })).toEqual({
    initialized: { protocolVersion: '2025-11-25', capabilities: {}, raw: odd },
  })
})
