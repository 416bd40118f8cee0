import { describe, expect, it } from 'vitest'
import { META } from '../../shared/protocol/meta'
import { checkModernRequest, classifyEra, readMessage } from './envelope'
import { GatewayError } from './gateway-error'

const VERSION = '2026-07-28'
const meta = { [META.protocolVersion]: VERSION, [META.clientCapabilities]: {} }
const headers = { 'mcp-protocol-version': VERSION, 'mcp-method': 'tools/call', 'mcp-name': 'a' }
const body = (params: object = {}, more: object = {}) =>
  JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'a', _meta: meta, ...params },
    ...more,
  })

function failure(run: () => unknown): GatewayError {
  try {
    run()
  } catch (error) {
    if (error instanceof GatewayError) return error
    throw error
  }
  throw new Error('nothing was thrown')
}

describe('readMessage', () => {
  it.each([
    ['', -32700, undefined],
    ['{', -32700, undefined],
    ['\ufeff{}', -32700, undefined],
    ['[]', -32600, undefined],
    ['[{"jsonrpc":"2.0","id":1,"method":"x"}]', -32600, undefined],
    ['3', -32600, undefined],
    ['null', -32600, undefined],
    ['{"jsonrpc":"2.0","id":null,"method":"x"}', -32600, undefined],
    ['{"jsonrpc":"2.0","id":1.5,"method":"x"}', -32600, undefined],
    ['{"jsonrpc":"2.0","id":{},"method":"x"}', -32600, undefined],
    ['{"jsonrpc":"2.0","id":true,"method":"x"}', -32600, undefined],
    ['{"jsonrpc":"1.0","id":"a","method":"x"}', -32600, '"a"'],
    ['{"id": 7 ,"method":"x"}', -32600, '7'],
    ['{"jsonrpc":"2.0","id":1,"result":{}}', -32600, '1'],
    ['{"jsonrpc":"2.0","id":1,"error":{}}', -32600, '1'],
    ['{"jsonrpc":"2.0","id":1,"method":5}', -32600, '1'],
    ['{"jsonrpc":"2.0","id":1,"method":"x","params":[1]}', -32602, '1'],
    ['{"jsonrpc":"2.0","id":1,"method":"x","params":"s"}', -32602, '1'],
  ])('%s', (text, code, idRaw) => {
    const error = failure(() => readMessage(text))
    expect([error.code, error.status, error.idRaw]).toEqual([code, 400, idRaw])
  })

  it.each(['0', '-7', '12345678901234567890', '"\\u0061"', '""', '1.0'])('keeps the raw id %s', (id) =>
    expect(readMessage(`{"jsonrpc":"2.0","id":${id},"method":"x"}`).idRaw).toBe(id),
  )

  it('an object without id is a notification', () => {
    const message = readMessage('{"jsonrpc":"2.0","method":"notifications/x"}')
    expect([message.idRaw, message.method, message.params]).toEqual([undefined, 'notifications/x', {}])
  })
})

describe('classifyEra', () => {
  const message = (method: string, _meta?: object) =>
    readMessage(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { _meta } }))
  it.each([
    ['the _meta claim', 'tools/call', meta, {}, 'modern'],
    ['the claim, whatever the header', 'tools/call', meta, { 'mcp-protocol-version': '2025-06-18' }, 'modern'],
    ['a claim of any version', 'tools/call', { [META.protocolVersion]: 'x' }, {}, 'modern'],
    ['the modern header alone', 'tools/call', undefined, { 'mcp-protocol-version': VERSION }, 'modern'],
    ['an unknown header', 'tools/call', undefined, { 'mcp-protocol-version': '2099-01-01' }, 'modern'],
    ['other reserved keys alone', 'tools/call', { [META.clientCapabilities]: {} }, {}, 'modern'],
    [
      'other reserved keys with a legacy header',
      'tools/call',
      { [META.clientInfo]: {} },
      { 'mcp-protocol-version': '2025-11-25' },
      'legacy',
    ],
    ['nothing', 'tools/call', undefined, {}, 'legacy'],
    ['initialize', 'initialize', undefined, { 'mcp-protocol-version': VERSION }, 'legacy'],
    ['initialize with the claim', 'initialize', meta, {}, 'modern'],
  ] as const)('%s', (_name, method, claim, given, era) => expect(classifyEra(message(method, claim), given)).toBe(era))
})

describe('checkModernRequest', () => {
  const check =
    (text: string, given: Record<string, string> = headers) =>
    () =>
      checkModernRequest(readMessage(text), given)
  const without = (name: keyof typeof headers) =>
    Object.fromEntries(Object.entries(headers).filter(([key]) => key !== name))

  it.each([
    ['no _meta', body({ _meta: undefined }), headers, -32602],
    ['no version', body({ _meta: { [META.clientCapabilities]: {} } }), headers, -32602],
    ['a version that is no string', body({ _meta: { ...meta, [META.protocolVersion]: 3 } }), headers, -32602],
    ['no capabilities', body({ _meta: { [META.protocolVersion]: VERSION } }), headers, -32602],
    ['capabilities that are no object', body({ _meta: { ...meta, [META.clientCapabilities]: [] } }), headers, -32602],
    ['an unknown log level', body({ _meta: { ...meta, [META.logLevel]: 'loud' } }), headers, -32602],
    ['a boolean progress token', body({ _meta: { ...meta, progressToken: true } }), headers, -32602],
    ['a name that is no string', body({ name: 5 }), headers, -32602],
    ['version header differs', body(), { ...headers, 'mcp-protocol-version': '2025-11-25' }, -32020],
    ['method header differs', body(), { ...headers, 'mcp-method': 'tools/list' }, -32020],
    ['method header differs in case', body(), { ...headers, 'mcp-method': 'TOOLS/CALL' }, -32020],
    ['name header differs', body(), { ...headers, 'mcp-name': 'b' }, -32020],
    ['name header occurs twice', body(), { ...headers, 'mcp-name': 'a, a' }, -32020],
    ['name header with bad base64', body(), { ...headers, 'mcp-name': '=?base64?YQ?=' }, -32020],
    ['version header missing', body(), without('mcp-protocol-version'), -32020],
    ['method header missing', body(), without('mcp-method'), -32020],
    ['name header missing', body(), without('mcp-name'), -32020],
    [
      'another version in both places',
      body({ _meta: { ...meta, [META.protocolVersion]: '2099-01-01' } }),
      { ...headers, 'mcp-protocol-version': '2099-01-01' },
      -32022,
    ],
  ])('%s', (_name, text, given, code) => {
    const error = failure(check(text, given))
    expect([error.code, error.status, error.idRaw]).toEqual([code, 400, '1'])
  })

  it('-32022 names what is served and what was asked', () => {
    const text = body({ _meta: { ...meta, [META.protocolVersion]: '1900-01-01' } })
    const error = failure(check(text, { ...headers, 'mcp-protocol-version': '1900-01-01' }))
    expect(error.data).toEqual({ supported: [VERSION], requested: '1900-01-01' })
  })

  it('-32020 shows both values', () =>
    expect(failure(check(body(), { ...headers, 'mcp-name': 'b' })).data).toEqual({
      mismatch: { header: 'b', body: 'a' },
    }))

  it.each([
    ['white space around values', { ...headers, 'mcp-name': ' a ' }, 'a'],
    ['a sentinel', { ...headers, 'mcp-name': '=?base64?VMWNa3nFjQ==?=' }, 'Tōkyō'],
    ['an empty sentinel', { ...headers, 'mcp-name': '=?base64??=' }, ''],
    ['an upper-case sentinel is a literal', { ...headers, 'mcp-name': '=?BASE64?YQ==?=' }, '=?BASE64?YQ==?='],
  ])('%s', (_name, given, name) => expect(check(body({ name }), given)().target).toBe(name))

  it('methods without a name need no Mcp-Name', () => {
    const text = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: meta } })
    expect(check(text, { 'mcp-protocol-version': VERSION, 'mcp-method': 'tools/list' })().target).toBeUndefined()
  })
})
