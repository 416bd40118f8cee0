import { describe, expect, it } from 'vitest'
import { CallScript, plainCall } from '../../../test/capture/call-script'
import { applyTextEdits } from '../protocol/json-text'
import { resolveText } from './body-reference'
import type { CallEvent } from './events'
import { redactEvent, RedactionMemory } from './redaction'
import { redactionRules } from './redaction-rules'
import { parseSecretPath, pathEdits } from './secret-paths'

function redact(text: string, ...pointers: string[]): string {
  const paths = pointers.map(parseSecretPath).filter((path) => path !== undefined)
  return applyTextEdits(text, pathEdits(text, paths))
}

describe('pathEdits', () => {
  it.each<[string, string, string[], string]>([
    ['a member', '{"a":{"b":"abc","c":1}}', ['/a/b'], '{"a":{"b":"«redacted 4»","c":1}}'],
    [
      'any member',
      '{"a":{"x":{"p":1},"y":{"p":[2]}}}',
      ['/a/*/p'],
      '{"a":{"x":{"p":"«redacted 1»"},"y":{"p":"«redacted 4»"}}}',
    ],
    ['an item', '[1,[2,3]]', ['/1/0'], '[1,["«redacted 1»",3]]'],
    [
      'any item',
      '{"a":[{"p":"x"},{"q":1},{"p":"y"}]}',
      ['/a/*/p'],
      '{"a":[{"p":"«redacted 1»"},{"q":1},{"p":"«redacted 1»"}]}',
    ],
    ['each item of a batch', '[{"p":"x"},{"p":"y"}]', ['/p'], '[{"p":"«redacted 1»"},{"p":"«redacted 1»"}]'],
    ['a whole subtree', '{"a": {"b": [1, 2]} }', ['/a'], '{"a": "«redacted 16»" }'],
    ['the outer of two', '{"a":{"b":"x"}}', ['/a/b', '/a'], '{"a":"«redacted 16»"}'],
    ['escaped names', '{"a/b":{"~":"x"}}', ['/a~1b/~0'], '{"a/b":{"~":"«redacted 1»"}}'],
    ['duplicate members', '{"a":"x","a":"y"}', ['/a'], '{"a":"«redacted 1»","a":"«redacted 1»"}'],
    ['an escaped spelling', '{"\\u0061":"x"}', ['/a'], '{"\\u0061":"«redacted 1»"}'],
    ['torn text', '{"a":{"b":"abc', ['/a/b'], '{"a":{"b":"«redacted 2»"'],
    ['null, which is no secret', '{"a":null}', ['/a'], '{"a":null}'],
    ['what is redacted already', '{"a":"«redacted 4»"}', ['/a'], '{"a":"«redacted 4»"}'],
    ['nothing', '{"a":1}', ['/b', '/a/b', '/a/0'], '{"a":1}'],
    ['no JSON', 'hello "a":1', ['/a'], 'hello "a":1'],
  ])('redacts %s', (_what, text, pointers, expected) => {
    expect(redact(text, ...pointers)).toBe(expected)
  })

  it.each(['', 'a', '/a~2', '/a~', 'a/b'])('%j is no path', (pointer) => {
    expect(parseSecretPath(pointer)).toBeUndefined()
  })

  it('ends on hostile text', () => {
    const hostile = ['[', '{', '"', ':', ',', '}', ']', '\\', 'x', ' ']
    let state = 7
    for (let round = 0; round < 3_000; round++) {
      let text = ''
      for (let length = 0; length < 12; length++) {
        state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
        text += hostile[state % hostile.length]
      }
      expect(() => redact(text, '/*/*', '/x', '/*')).not.toThrow()
    }
    expect(redact('['.repeat(200_000), '/*/*/a')).toHaveLength(200_000)
  })
})

describe('redaction by paths', () => {
  const rules = redactionRules({
    paths: ['/params/arguments/*/pin', '/result/structuredContent/pin', '/error/message'],
  })
  const everywhere = (events: CallEvent[], used = rules): string => {
    const memory = new RedactionMemory()
    return JSON.stringify(events.map((event) => redactEvent(event, used, memory)))
  }

  it('reaches both legs, and what repeats the message', () => {
    const params = { name: 'pay', arguments: { card: { pin: 'hunter2' } } }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, result: { structuredContent: { pin: 'hunter2' } } })
    const script = new CallScript({ params, headers: [['Mcp-Param-Pin', 'hunter2']] }).received().routed().sent()
    script.upstream(`data: ${body}`).frame(JSON.parse(body) as never, 'result')
    script.push({ kind: 'call.ended', outcome: 'error', by: 'backend', error: { code: 1, message: 'hunter2' } })
    expect(everywhere(script.events)).not.toContain('hunter2')
  })

  it('keeps references right', () => {
    const params = { name: 'pay', arguments: { card: { pin: 'hunter2' } } }
    const [received] = plainCall({ params })
    if (received?.kind !== 'call.received') throw new Error('another event')
    const offset = received.body.indexOf('"pay"')
    const idAt = received.body.indexOf('"id":1') + 5
    const reference = {
      seq: 1,
      edits: [
        { what: 'name' as const, at: '/params/name', was: '"pay"', now: '"p"', offset },
        { what: 'id' as const, at: '/id', was: '1', now: '77', offset: idAt },
      ],
    }
    const sent: CallEvent = {
      seq: 2,
      at: 2,
      call: 1,
      kind: 'upstream.sent',
      exchange: 1,
      backend: 'b',
      http: { method: 'POST', url: '/', headers: [] },
      bodyFrom: reference,
    }
    const memory = new RedactionMemory()
    const first = redactEvent(received, rules, memory) as CallEvent
    const second = redactEvent(sent, rules, memory) as CallEvent
    const text = resolveText(second, () => first)
    expect(JSON.parse(text as string)).toMatchObject({
      id: 77,
      params: { name: 'p', arguments: { card: { pin: '«redacted 8»' } } },
    })
  })

  it('hides names where they are secret', () => {
    const named = redactionRules({ paths: ['/params/name'] })
    const params = { name: 'hunter2', arguments: {} }
    const script = new CallScript({ params }).received()
    const edit = { what: 'name' as const, at: '/params/name', was: '"hunter2"', now: '"hunter2x"' }
    script.routed({ name: 'hunter2', edits: [edit] }).sent()
    expect(everywhere(script.events, named)).not.toContain('hunter2')
  })

  it('hides states where they are secret', () => {
    const script = new CallScript().received()
    const sealed = {
      version: 1 as const,
      backend: 'b',
      endpoint: '/mcp',
      method: 'tools/call',
      target: 't',
      inner: 'hunter2',
      paramsDigest: 'd',
      callerDigest: null,
      operation: 'o',
      round: 1,
      issuedAt: 1,
      expiresAt: 2,
    }
    script.push({ kind: 'state.sealed', outer: 'hunter2', kid: 'k', sealed })
    expect(everywhere(script.events, redactionRules({ paths: ['/result/requestState'] }))).not.toContain('hunter2')
  })
})
