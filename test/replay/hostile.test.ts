import { describe, expect, it } from 'vitest'
import { CaptureIndex } from '../../src/main/capture/capture-index'
import { planReplay } from '../../src/main/replay/plan-replay'
import type { CallEvent } from '../../src/shared/capture/events'
import { foldCall } from '../../src/shared/capture/fold'
import { readEvent } from '../../src/shared/capture/schema'
import { compareExchanges } from '../../src/shared/replay/compare-answers'
import { compareRules } from '../../src/shared/replay/compare-rules'
import { recordedExchanges } from '../../src/shared/replay/recorded-exchange'
import { CallScript, plainCall, progressCall, result } from '../capture/call-script'
import { ask, call, errorOf, FILE, mocked, textOf } from './mocking'
import { MemoryCaptures } from './memory-captures'

/** A capture of somebody else may hold anything that the schema lets through. */
const rules = compareRules()
if ('problem' in rules) throw new Error(rules.problem)

/** Numbers that look random and are the same in every run. */
function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}

const HOSTILE = ['', '{', '[]', 'null', '{"jsonrpc":"2.0"}', '{"jsonrpc":"2.0","id":1,"result":null}', '\u0000', ': ']

/** Events left out, doubled, moved, and with other texts in them. */
function damaged(events: readonly CallEvent[], random: () => number): CallEvent[] {
  const changed = events.flatMap((event) => {
    const dice = random()
    if (dice < 0.1) return []
    if (dice < 0.2) return [event, event]
    if (dice < 0.5) {
      const text = HOSTILE[Math.floor(random() * HOSTILE.length)] ?? ''
      const spoiled = { ...event, ...('raw' in event ? { raw: text } : {}), ...('body' in event ? { body: text } : {}) }
      return [spoiled]
    }
    return [event]
  })
  return random() < 0.3 ? changed.reverse() : changed
}

function capture(events: readonly CallEvent[]) {
  const index = new CaptureIndex(1_000)
  for (const event of events) index.enter(event, (seq) => events.find((one) => one.seq === seq))
  return { index, events: (number: number) => Promise.resolve(events.filter((event) => event.call === number)) }
}

const chain = (): CallEvent[] => {
  const asks = result({ resultType: 'input_required', inputRequests: { a: { method: 'roots/list' } } })
  const first = new CallScript({ call: 1 })
    .received()
    .routed()
    .sent()
    .head()
    .event(asks)
    .upstreamEnded()
    .ended('input-required')
  const params = { name: 'forecast', arguments: {}, inputResponses: { a: { roots: [] } } }
  const second = new CallScript({ call: 2, round: 2, params }, first.last).received().routed().sent().head()
  return [...first.events, ...second.event(result()).upstreamEnded().ended().events]
}

describe('a damaged or hostile capture', () => {
  it('is read, planned, compared and served without a crash', async () => {
    const random = numbers(7)
    for (let round = 0; round < 150; round++) {
      const events = damaged([...chain(), ...progressCall({ call: 3 }, 100), ...plainCall({ call: 4 }, 200)], random)
      for (const event of events) expect(readEvent(event).ok).toBe(true)
      const all = [1, 2, 3, 4].flatMap((number) =>
        recordedExchanges(foldCall(events.filter((event) => event.call === number))),
      )
      for (const one of all) for (const other of all) expect(compareExchanges(one, other, rules.rules).more).toBe(0)
      const plan = await planReplay({
        capture: capture(events),
        selected: () => true,
        backends: ['weather'],
        tools: () => Promise.resolve(new Map()),
        signal: new AbortController().signal,
      })
      expect(plan.counts.sent + plan.counts.notSent).toBe(plan.operations.length)
    }
  })

  it('is served as far as it can be', async () => {
    const random = numbers(11)
    for (let round = 0; round < 15; round++) {
      const captures = new MemoryCaptures()
      captures.set(FILE, damaged([...chain(), ...plainCall({ call: 4 }, 200)], random))
      const mock = await mocked(captures)
      const answer = await ask(mock.one(), call('forecast', {}))
      expect(answer.result ?? answer.error).toBeDefined()
      await mock.gateway.close(0)
    }
  })

  it('with names and keys of objects is nothing special', async () => {
    const params = JSON.parse('{"name":"__proto__","arguments":{"__proto__":{"a":1},"constructor":1}}') as {
      name: string
    }
    const captures = new MemoryCaptures()
    captures.set(FILE, plainCall({ params: { ...params } }))
    const mock = await mocked(captures)
    const found = await ask(mock.one(), { method: 'tools/call', params: { ...params } })
    expect(found.error).toBeUndefined()
    const other = {
      ...params,
      arguments: JSON.parse('{"__proto__":{"a":2},"constructor":1}') as { constructor: number },
    }
    const missed = await ask(mock.one(), {
      method: 'tools/call',
      params: JSON.parse(JSON.stringify(other)) as { name: string },
    })
    expect(errorOf(missed).message).toContain('/arguments/__proto__/a')
  })

  it('with thousands of calls answers from its middle', async () => {
    const events: CallEvent[] = []
    for (let number = 1; number <= 3_000; number++) {
      const script = new CallScript(
        { call: number, operation: `op-${number}`, params: { name: 'echo', arguments: { number } } },
        events.length,
      )
      script.received().routed().sent().head('application/json')
      script.upstream(JSON.stringify(result({ content: [{ type: 'text', text: String(number) }] })), 'body')
      events.push(...script.ended().events)
    }
    const captures = new MemoryCaptures()
    captures.set(FILE, events)
    const mock = await mocked(captures)
    expect(textOf(await ask(mock.one(), call('echo', { number: 1_717 })))).toBe('1717')
    expect(errorOf(await ask(mock.one(), call('echo', { number: -1 }))).message).toContain(
      'which differs at /arguments/number',
    )
  })
})
