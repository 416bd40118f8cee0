import { describe, expect, it } from 'vitest'
import { META } from '../../../shared/protocol/meta'
import { editRequest } from '../request-edits'
import { readUpstreamMessage } from '../upstream-message'
import { discoverResult } from './discover-result'
import { legacyResponse, legacyResultText } from './legacy-result'
import { modernRequest } from './modern-request'
import { modernResult } from './modern-result'

const INFO = { name: 'old', version: '1' }

describe('a legacy result for a modern client', () => {
  const translate = (text: string, method = 'tools/call', serverInfo: typeof INFO | undefined = INFO): string => {
    const read = readUpstreamMessage(text, 7)
    if (read.kind !== 'response') throw new Error('no response')
    return modernResult(text, { idRaw: '"a"', method }, serverInfo, read).text
  }
  const info = `"_meta":{"${META.serverInfo}":{"name":"old","version":"1"}}`
  it.each([
    [
      'gains resultType and serverInfo',
      '{"id":7,"result":{"n":1.0}}',
      'tools/call',
      `{"id":"a","result":{"n":1.0,"resultType":"complete",${info}}}`,
    ],
    [
      'keeps what is there',
      `{"id":7,"result":{"resultType":"x","_meta":{"k":1}}}`,
      'tools/call',
      `{"id":"a","result":{"resultType":"x","_meta":{"k":1,"${META.serverInfo}":{"name":"old","version":"1"}}}}`,
    ],
    [
      'gains cache hints where they are due',
      '{"id":7,"result":{"tools":[]}}',
      'tools/list',
      `{"id":"a","result":{"tools":[],"resultType":"complete","ttlMs":0,"cacheScope":"private",${info}}}`,
    ],
    [
      'resource not found has another code',
      '{"id":7,"error":{"code":-32002,"message":"m"}}',
      'resources/read',
      '{"id":"a","error":{"code":-32602,"message":"m"}}',
    ],
    [
      'URL elicitation required is none',
      '{"id":7,"error":{"code":-32042,"message":"m"}}',
      'tools/call',
      '{"id":"a","error":{"code":-32603,"message":"m"}}',
    ],
    [
      'other errors stay',
      '{"id":7,"error":{"code":-1,"message":"m","data":{"x":1.0}}}',
      'tools/call',
      '{"id":"a","error":{"code":-1,"message":"m","data":{"x":1.0}}}',
    ],
  ])('%s', (_name, text, method, expected) => expect(translate(text, method)).toBe(expected))
})

describe('a modern result for a legacy client', () => {
  it.each([
    [
      'loses what is modern',
      '{"resultType":"complete","content":[],"ttlMs":5,"cacheScope":"public"}',
      'tools/call',
      '{"content":[]}',
    ],
    [
      'loses reserved _meta, keeps other',
      `{"_meta":{"${META.serverInfo}":{},"k":1.0}}`,
      'tools/call',
      '{"_meta":{"k":1.0}}',
    ],
    [
      'wraps structured content that is no object',
      '{"structuredContent":[1.0]}',
      'tools/call',
      '{"structuredContent":{"result":[1.0]}}',
    ],
    [
      'keeps structured content that is one',
      '{"structuredContent":{"a":1.0}}',
      'tools/call',
      '{"structuredContent":{"a":1.0}}',
    ],
    [
      'wraps output schemas likewise',
      '{"tools":[{"name":"a","outputSchema":{"type":"array"}},{"name":"b","outputSchema":{"type":"object"}}]}',
      'tools/list',
      '{"tools":[{"name":"a","outputSchema":{"type":"object","properties":{"result":{"type":"array"}},"required":["result"]}},{"name":"b","outputSchema":{"type":"object"}}]}',
    ],
    ['is the same text when nothing is to be done', '{ "content" : [ 1.0 ] }', 'tools/call', '{ "content" : [ 1.0 ] }'],
  ])('%s', (_name, text, method, expected) => expect(legacyResultText(text, method)).toBe(expected))

  it('whole responses get the id back', () =>
    expect(
      legacyResponse('{"result":{"ttlMs":1},"id":3,"jsonrpc":"2.0"}', { idRaw: '"x"', method: 'resources/read' }).text,
    ).toBe('{"result":{},"id":"x","jsonrpc":"2.0"}'))
})

describe("a legacy client's request for a modern backend", () => {
  const parts = {
    upstreamId: '9',
    clientInfo: INFO,
    capabilities: { roots: { listChanged: true }, tasks: {}, sampling: {} },
    logLevel: 'info' as const,
  }
  const meta = {
    [META.protocolVersion]: '2026-07-28',
    [META.clientInfo]: INFO,
    [META.clientCapabilities]: { sampling: {}, roots: {} },
    [META.logLevel]: 'info',
  }
  it.each([
    ['without params', '{"id":1,"method":"tools/list"}', { _meta: meta }],
    ['with params', '{"id":1,"method":"x","params":{"a":1}}', { a: 1, _meta: meta }],
    [
      'with _meta',
      '{"id":1,"method":"x","params":{"_meta":{"progressToken":4}}}',
      { _meta: { progressToken: 4, ...meta } },
    ],
  ])('%s gains _meta', (_name, text, params) =>
    expect(JSON.parse(modernRequest(text, parts).text)).toMatchObject({ id: 9, params }),
  )
  it('carries answers, state, name and token', () => {
    const text = '{"id":1,"method":"tools/call","params":{"name":"w__f","n":1.0,"_meta":{"progressToken":"t"}}}'
    const made = modernRequest(text, {
      ...parts,
      target: { member: 'name', name: 'f' },
      progressToken: '9',
      inputResponses: { k: { action: 'accept' } },
      requestState: 's',
    }).text
    expect(made).toContain('"n":1.0')
    expect(JSON.parse(made)).toMatchObject({
      params: {
        name: 'f',
        inputResponses: { k: { action: 'accept' } },
        requestState: 's',
        _meta: { progressToken: 9 },
      },
    })
  })
})

it("a modern client's request for a legacy backend loses the reserved _meta, keeps other, and has its own token", () => {
  const text = `{"id":"a","params":{"_meta":{"${META.protocolVersion}":"2026-07-28","k":1.0,"progressToken":"t","${META.clientCapabilities}":{}},"x":1.0}}`
  const changes = { upstreamId: '7', progressToken: '7', withoutReservedMeta: true }
  expect(editRequest(text, changes).text).toBe('{"id":7,"params":{"_meta":{"k":1.0,"progressToken":7},"x":1.0}}')
  expect(editRequest(`{"id":1,"params":{"_meta":{"${META.clientInfo}":{}}}}`, changes).text).toBe(
    '{"id":7,"params":{"_meta":{}}}',
  )
})

it('what a legacy backend said at initialize reads as a discover result', () => {
  const capabilities = { tools: { listChanged: true }, tasks: {}, logging: {} }
  const raw = {}
  expect(
    discoverResult({ protocolVersion: '2025-11-25', capabilities, serverInfo: INFO, instructions: 'i', raw }),
  ).toEqual({
    resultType: 'complete',
    supportedVersions: ['2026-07-28'],
    capabilities: { tools: { listChanged: true }, logging: {} },
    instructions: 'i',
    ttlMs: 0,
    cacheScope: 'private',
    _meta: { [META.serverInfo]: INFO },
  })
})
