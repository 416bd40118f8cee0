import { describe, expect, it, vi } from 'vitest'
import type { CommandName } from '../../shared/api/contract'
import { emptySummary } from '../../shared/capture/summarise'
import type { CallSummary } from '../../shared/capture/summary'
import { listsFor, OutputSchemas } from './output-schemas'
import { structuredText } from './structured-text'

const of = (call: number, more: Partial<CallSummary> = {}): CallSummary => ({
  ...emptySummary(call, call * 1_000),
  endpoint: '/mcp',
  outcome: 'result',
  method: 'tools/list',
  ...more,
})
const tool = (call: number, more: Partial<CallSummary> = {}) =>
  of(call, { method: 'tools/call', target: 'weather__current', ...more })

describe('listsFor', () => {
  it('takes lists of the same endpoint and era, the last before the call first, then those after it', () => {
    const calls = [
      of(1),
      of(2, { endpoint: '/mcp/weather' }),
      of(3, { era: 'legacy' }),
      of(4, { outcome: 'error' }),
      of(5),
      tool(6),
      of(7),
      of(8),
    ]
    expect(listsFor(calls.toReversed(), tool(6))).toEqual([5, 1, 7, 8])
  })

  it('is bounded', () => {
    const calls = Array.from({ length: 100 }, (_, at) => of(at + 1))
    expect(listsFor(calls.toReversed(), tool(50))).toEqual(Array.from({ length: 20 }, (_, at) => 50 - at))
  })
})

describe('OutputSchemas', () => {
  const schema = { type: 'object' }
  function setUp(texts: Record<number, string>, calls: CallSummary[]) {
    const command = vi.fn((name: CommandName, { call }: { call: number }) => {
      const text = texts[call]
      if (text === undefined) return Promise.reject(new Error('the disk is gone'))
      return Promise.resolve(
        name === 'call.text' ? { text } : { events: [{ kind: 'response.frame', message: 'result', seq: 9 }] },
      )
    })
    const schemas = new OutputSchemas({ connection: { command: command as never }, newest: () => calls.toReversed() })
    return { schemas, command }
  }
  const list = (...tools: unknown[]) => JSON.stringify({ jsonrpc: '2.0', id: 1, result: { tools } })

  it('finds the schema in the page of the list that has the tool, and reads each list once', async () => {
    const { schemas, command } = setUp(
      { 1: list({ name: 'weather__current', outputSchema: schema }), 2: list({ name: 'other' }, null, { name: 7 }) },
      [of(1), of(2)],
    )
    expect(await schemas.of(tool(3))).toEqual({ kind: 'schema', schema, list: 1 })
    expect(await schemas.of(tool(4))).toEqual({ kind: 'schema', schema, list: 1 })
    expect(command).toHaveBeenCalledTimes(4)
  })

  it('tells a tool without a schema from one that no list has', async () => {
    const { schemas } = setUp({ 1: list({ name: 'weather__current', outputSchema: 'any' }) }, [of(1)])
    expect(await schemas.of(tool(2))).toEqual({ kind: 'none', list: 1 })
    expect(await schemas.of(tool(2, { target: 'constructor' }))).toEqual({ kind: 'unlisted' })
    expect(await schemas.of(tool(2, { method: 'prompts/get' }))).toEqual({ kind: 'unlisted' })
  })

  it('passes over lists that are no lists', async () => {
    const texts = { 1: '{"result":', 2: '{"result":{"tools":{}}}', 3: '[]' }
    expect(await setUp(texts, [of(1), of(2), of(3)]).schemas.of(tool(4))).toEqual({ kind: 'unlisted' })
  })

  it('tries again what could not be read', async () => {
    const texts: Record<number, string> = {}
    const { schemas } = setUp(texts, [of(1)])
    await expect(schemas.of(tool(2))).rejects.toThrow('the disk is gone')
    texts[1] = list({ name: 'weather__current', outputSchema: schema })
    expect(await schemas.of(tool(2))).toMatchObject({ kind: 'schema' })
  })
})

describe('structuredText', () => {
  it('is the text as it was sent', () => {
    const answer = '{"id":1,"result":{"structuredContent":{"a":1},"content":[],"structuredContent": {"a":1.0, "a":2}}}'
    expect(structuredText(answer)).toBe('{"a":1.0, "a":2}')
  })
  it('is not there in what has none, and in what is no JSON', () => {
    expect(structuredText('{"result":{}}')).toBeUndefined()
    expect(structuredText('{"error":{}}')).toBeUndefined()
    expect(structuredText('data: x')).toBeUndefined()
    expect(structuredText('{"result":{"a":"')).toBeUndefined()
  })
})
