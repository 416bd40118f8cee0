import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/shared/protocol/json-rpc'
import { call, modernRequest, post } from '../peers/raw-client'
import { serve, text } from '../peers/scripted-server'
import type { StubHandler } from '../peers/stub-backend'
import { startBackend, startGateway } from './running-gateway'

/**
 * JSON allows one meaning to be spelled in many ways. The gateway and the backend must read the same message, whichever
 * parser the backend has: an edited member must be edited wherever it stands.
 */
const echo: StubHandler = (request, reply) => reply.result(text(request.name))
const meta =
  '"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}}'

describe('odd spellings of a request', () => {
  const spellings: [name: string, body: string][] = [
    [
      'an escaped member name',
      `{"jsonrpc":"2.0","\\u0069d":1,"method":"tools/call","params":{"n\\u0061me":"b__t","arguments":{},${meta}}}`,
    ],
    [
      'an escaped params',
      `{"jsonrpc":"2.0","id":1,"m\\u0065thod":"tools/c\\u0061ll","p\\u0061rams":{"name":"b__\\u0074","arguments":{},${meta}}}`,
    ],
    [
      'two ids',
      `{"jsonrpc":"2.0","id":99,"id":1,"method":"tools/call","params":{"name":"b__t","arguments":{},${meta}}}`,
    ],
    [
      'two names',
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"b__u","name":"b__t","arguments":{},${meta}}}`,
    ],
    [
      'two params',
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"b__u",${meta}},"params":{"name":"b__t","arguments":{},${meta}}}`,
    ],
    [
      'names and ids at other depths',
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"arguments":{"name":"b__u","id":7,"params":{"name":"b__u"}},"name":"b__t",${meta}}}`,
    ],
    [
      'members of Object.prototype',
      `{"jsonrpc":"2.0","__proto__":{"id":5},"id":1,"method":"tools/call","params":{"__proto__":{"name":"b__u"},"constructor":1,"name":"b__t","arguments":{"__proto__":{}},${meta}}}`,
    ],
    [
      'brackets and quotes inside strings',
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"arguments":{"a":"}\\"]{,\\\\","b":"\\\\\\""},"name":"b__t",${meta}}}`,
    ],
  ]
  for (const [name, body] of spellings) {
    it(name, async () => {
      const backend = await startBackend(serve({ tools: { t: { call: echo }, u: { call: echo } } }))
      const { all } = await startGateway({ b: backend })
      const { headers } = modernRequest('tools/call', { name: 'b__t' })
      const answer = await post(all, body, headers)
      const message = await answer.json()
      if (answer.status === 200) {
        expect(message).toMatchObject({ id: 1, result: text('t') })
        const received = backend.of('tools/call')[0]
        expect(received?.headers['mcp-name']).toBe('t')
        // Whoever reads the first of two members finds no name of the gateway's either.
        const beforeArguments = received?.body.replace(/"arguments":\{.*?\},/, '') ?? ''
        if (name !== 'members of Object.prototype' && name !== 'names and ids at other depths')
          expect(beforeArguments).not.toMatch(/b__|"id":99/)
      } else {
        // Refusing what is ambiguous is right, too, as long as no backend sees it.
        expect(message.error).toMatchObject({ code: expect.any(Number) as number })
        expect(backend.of('tools/call')).toEqual([])
      }
    })
  }

  it('a request state that is there twice does not carry the sealed one upstream', async () => {
    const ask: StubHandler = (request, reply) =>
      request.params.inputResponses === undefined
        ? reply.result({
            resultType: 'input_required',
            inputRequests: { a: { method: 'elicitation/create', params: {} } },
            requestState: 'inner',
          })
        : echo(request, reply)
    const backend = await startBackend(serve({ tools: { t: { call: ask } } }))
    const { one } = await startGateway({ b: backend })
    const options = { capabilities: { elicitation: {} } }
    const first = (await (await call(one(), 'tools/call', { name: 't', arguments: {} }, options)).json())
      .result as JsonObject
    const outer = String(first.requestState)
    const { body, headers } = modernRequest(
      'tools/call',
      { name: 't', arguments: {} },
      { ...options, inputResponses: {}, requestState: outer },
    )
    const twice = body.replace(`"requestState":"${outer}"`, `"requestState":"${outer}","requestState":"${outer}"`)
    const answer = await post(one(), twice, headers)
    const retried = backend.of('tools/call')[1]
    if (answer.status === 200) expect(retried?.body).not.toContain(outer)
    else expect(retried).toBeUndefined()
  })
})

describe('odd spellings of an answer', () => {
  const answers: [name: string, body: (id: string) => string][] = [
    ['an escaped id', (id) => `{"jsonrpc":"2.0","\\u0069d":${id},"result":{"resultType":"complete","content":[]}}`],
    ['two ids', (id) => `{"jsonrpc":"2.0","id":1,"id":${id},"result":{"resultType":"complete","content":[]}}`],
    [
      'an escaped resultType',
      (id) =>
        `{"jsonrpc":"2.0","id":${id},"result":{"result\\u0054ype":"input_\\u0072equired","request\\u0053tate":"inner"}}`,
    ],
    [
      'two request states',
      (id) =>
        `{"jsonrpc":"2.0","id":${id},"result":{"resultType":"input_required","requestState":"inner","requestState":"inner"}}`,
    ],
    [
      'a result before the id',
      (id) => `{"result":{"id":"x","resultType":"complete","content":[]},"jsonrpc":"2.0","id":${id}}`,
    ],
    [
      'members of Object.prototype',
      (id) =>
        `{"jsonrpc":"2.0","__proto__":{"id":7},"id":${id},"result":{"resultType":"complete","__proto__":{"requestState":"x"},"content":[]}}`,
    ],
  ]
  for (const [name, body] of answers) {
    it(name, async () => {
      const backend = await startBackend(
        serve({ tools: { t: { call: (request, reply) => reply.json(200, body(JSON.stringify(request.id))) } } }),
      )
      const { one } = await startGateway({ b: backend })
      const answer = await call(
        one(),
        'tools/call',
        { name: 't', arguments: {} },
        { id: 'mine', capabilities: { elicitation: {} } },
      )
      const received = await answer.text()
      expect(JSON.parse(received)).toMatchObject({ id: 'mine' })
      expect(received).not.toContain('"inner"')
    })
  }
})
