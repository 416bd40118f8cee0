import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/shared/protocol/json-rpc'
import { call, modernRequest, post, type ModernOptions } from '../peers/raw-client'
import { serve } from '../peers/scripted-server'
import { errorOf, list, running } from './echo-gateway'
import { startBackend, startGateway } from './running-gateway'

describe('checks of _meta, headers and versions', () => {
  const version = 'io.modelcontextprotocol/protocolVersion'
  const capabilities = 'io.modelcontextprotocol/clientCapabilities'
  interface Case {
    name: string
    /** Changes the whole and correct request. */
    options?: ModernOptions
    edit?: (body: JsonObject & { params: JsonObject & { _meta: JsonObject } }) => void
    method?: string
    params?: JsonObject
    status: number
    code?: number
    data?: (data: JsonObject | undefined) => void
  }
  const names = { name: 'echo', arguments: {} }
  const base64 = (value: string): string => `=?base64?${Buffer.from(value).toString('base64')}?=`
  const cases: Case[] = [
    { name: 'whole and correct', status: 200 },
    { name: 'no _meta', edit: (body) => delete (body.params as JsonObject)._meta, status: 400, code: -32602 },
    { name: 'no protocolVersion', edit: (body) => (body.params._meta[version] = undefined), status: 400, code: -32602 },
    {
      name: 'no clientCapabilities',
      edit: (body) => (body.params._meta[capabilities] = undefined),
      status: 400,
      code: -32602,
    },
    {
      name: 'clientCapabilities of a list',
      edit: (body) => (body.params._meta[capabilities] = []),
      status: 400,
      code: -32602,
    },
    {
      name: 'a number as protocolVersion',
      edit: (body) => (body.params._meta[version] = 1),
      status: 400,
      code: -32602,
    },
    {
      name: 'no clientInfo',
      edit: (body) => delete body.params._meta['io.modelcontextprotocol/clientInfo'],
      status: 200,
    },
    { name: 'an unknown log level', options: { logLevel: 'loud' }, status: 400, code: -32602 },
    { name: 'a progress token of true', options: { meta: { progressToken: true } }, status: 400, code: -32602 },
    { name: 'a progress token of 1.5', options: { progressToken: 1.5 }, status: 400, code: -32602 },
    { name: 'an empty progress token', options: { progressToken: '' }, status: 200 },
    {
      name: 'Mcp-Session-Id is ignored',
      options: { headers: { 'mcp-session-id': 'abc', 'last-event-id': '5' } },
      status: 200,
    },
    {
      name: 'no MCP-Protocol-Version',
      options: { headers: { 'mcp-protocol-version': undefined } },
      status: 400,
      code: -32020,
    },
    { name: 'no Mcp-Method', options: { headers: { 'mcp-method': undefined } }, status: 400, code: -32020 },
    {
      name: 'no Mcp-Name',
      options: { headers: { 'mcp-name': undefined } },
      method: 'tools/call',
      params: names,
      status: 400,
      code: -32020,
    },
    { name: 'another Mcp-Method', options: { headers: { 'mcp-method': 'prompts/list' } }, status: 400, code: -32020 },
    { name: 'Mcp-Method in capitals', options: { headers: { 'mcp-method': 'TOOLS/LIST' } }, status: 400, code: -32020 },
    {
      name: 'another header version',
      options: { headers: { 'mcp-protocol-version': '2025-11-25' } },
      status: 400,
      code: -32020,
    },
    {
      name: 'another Mcp-Name',
      options: { headers: { 'mcp-name': 'other' } },
      method: 'tools/call',
      params: names,
      status: 400,
      code: -32020,
      data: (data) => expect(data?.mismatch).toEqual({ header: 'other', body: 'echo' }),
    },
    {
      name: 'Mcp-Name in another case',
      options: { headers: { 'mcp-name': 'ECHO' } },
      method: 'tools/call',
      params: names,
      status: 400,
      code: -32020,
    },
    {
      name: 'space around Mcp-Name',
      options: { headers: { 'mcp-name': '  echo \t' } },
      method: 'tools/call',
      params: names,
      status: 200,
    },
    {
      name: 'Mcp-Name as sentinel',
      options: { headers: { 'mcp-name': base64('echo') } },
      method: 'tools/call',
      params: names,
      status: 200,
    },
    {
      name: 'bad base64 in Mcp-Name',
      options: { headers: { 'mcp-name': '=?base64?ZWNobw?=' } },
      method: 'tools/call',
      params: names,
      status: 400,
      code: -32020,
    },
    {
      name: 'foreign letters in base64',
      options: { headers: { 'mcp-name': '=?base64?ZW!!bw==?=' } },
      method: 'tools/call',
      params: names,
      status: 400,
      code: -32020,
    },
    {
      name: 'a prefix in capitals is literal',
      options: { headers: { 'mcp-name': '=?BASE64?ZWNobw==?=' } },
      method: 'tools/call',
      params: names,
      status: 400,
      code: -32020,
    },
    {
      name: 'a name of tools/call that is a number',
      options: { headers: { 'mcp-name': '5' } },
      method: 'tools/call',
      params: { name: 5 },
      status: 400,
    },
    {
      name: 'a version of the future',
      options: { meta: { [version]: '2099-01-01' }, headers: { 'mcp-protocol-version': '2099-01-01' } },
      status: 400,
      code: -32022,
      data: (data) => expect(data).toEqual({ supported: ['2026-07-28'], requested: '2099-01-01' }),
    },
    {
      name: 'a legacy version in a modern envelope',
      options: { meta: { [version]: '2025-11-25' }, headers: { 'mcp-protocol-version': '2025-11-25' } },
      status: 400,
      code: -32022,
      data: (data) => expect(data?.requested).toBe('2025-11-25'),
    },
    ...[
      'initialize',
      'ping',
      'logging/setLevel',
      'resources/subscribe',
      'resources/unsubscribe',
      'roots/list',
      'unknown/method',
      'toString',
    ].map((method): Case => ({ name: `removed or unknown method ${method}`, method, status: 404, code: -32601 })),
  ]
  for (const { name, options, edit, method = 'tools/list', params = {}, status, code, data } of cases) {
    it(`${name} -> ${status} ${code ?? ''}`, async () => {
      const { all, one, calls } = await running()
      for (const [url, prefix] of [
        [one(), ''],
        [all, 'echo__'],
      ] as const) {
        const prefixed = params.name === 'echo' ? { ...params, name: prefix + params.name } : params
        const mirrored = options?.headers?.['mcp-name']
        // On the aggregate endpoint the name has the backend's prefix; what a case says about it is said there, too.
        if (prefix !== '' && mirrored !== undefined) continue
        const request = modernRequest(method, prefixed, { id: 'the id', ...options })
        const body = JSON.parse(request.body) as Parameters<NonNullable<typeof edit>>[0]
        edit?.(body)
        const answer = await post(url, body, request.headers)
        const message = await answer.json()
        expect({ status: answer.status, id: message.id }).toEqual({ status, id: 'the id' })
        if (code !== undefined) expect(errorOf(message).code).toBe(code)
        if (code !== undefined && code !== -32601) expect(calls()).toBe(0)
        data?.(errorOf(message).data)
        expect(answer.headers['mcp-session-id']).toBeUndefined()
      }
    })
  }

  it('an initialize without envelope begins a legacy session', async () => {
    const { all } = await running()
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'old', version: '1' } }
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
    const answer = await post(all, { jsonrpc: '2.0', id: 1, method: 'initialize', params }, headers)
    expect(answer.status).toBe(200)
    expect(answer.headers['mcp-session-id']).toMatch(/^[!-~]+$/)
    expect(await answer.json()).toMatchObject({ id: 1, result: { protocolVersion: '2025-06-18' } })
  })

  const ids = ['0', '1', '-5', '""', '"a"', '"1"', '9007199254740993', '"\\u00e9\\n"', '1e3']
  for (const id of ids) {
    it(`gives the id ${id} back byte for byte, on results and on errors`, async () => {
      const { one } = await running()
      const request = list({ id: 'placeholder' })
      const body = request.body.replace('"placeholder"', id)
      expect(await (await post(one(), body, request.headers)).text()).toMatch(idPattern(id))
      const refused = await post(one(), body, { ...request.headers, 'mcp-method': 'other' })
      expect(await refused.text()).toMatch(idPattern(id))
    })
  }
})

describe("a backend's own error, before anything was streamed", () => {
  const errors: [status: number, code: number, data: unknown][] = [
    [200, -32602, { uri: 'x' }],
    [400, -32602, undefined],
    [400, -32020, { mismatch: { header: null, body: 'x' } }],
    [400, -32021, { requiredCapabilities: { elicitation: {} } }],
    [400, -32022, { supported: ['2026-07-28'], requested: '1' }],
    [404, -32601, 'text'],
    [200, -32603, [1, 2]],
    [500, -32603, null],
    [503, -31999, { retry: 1.0 }],
    [401, -32000, undefined],
    [429, 1, {}],
  ]
  for (const [status, code, data] of errors) {
    it(`${status} ${code} keeps status, code, message and data`, async () => {
      const backend = await startBackend(
        serve({
          tools: {
            fail: {
              call: (_, reply) =>
                reply.error(status, { code, message: 'Grüße', ...(data === undefined ? {} : { data }) }),
            },
          },
        }),
      )
      const { one } = await startGateway({ b: backend })
      const answer = await call(one(), 'tools/call', { name: 'fail', arguments: {} }, { id: 'e' })
      expect(answer.status).toBe(status)
      expect(answer.headers['content-type']).toMatch(/^application\/json/)
      expect(await answer.json()).toEqual({
        jsonrpc: '2.0',
        id: 'e',
        error: { code, message: 'Grüße', ...(data === undefined ? {} : { data }) },
      })
    })
  }
})

function idPattern(id: string): RegExp {
  return new RegExp(`"id":\\s*${id.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}[,}]`)
}
