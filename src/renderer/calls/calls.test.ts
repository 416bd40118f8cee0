import { describe, expect, it } from 'vitest'
import { emptySummary } from '../../shared/capture/summarise'
import type { CallSummary } from '../../shared/capture/summary'
import { answerTag } from './answer'
import { COLUMNS, compareBy, fitColumns, gridTemplate, leastWidth } from './columns'
import { endMark, lifeOf } from './life-geometry'

const call = (more: Partial<CallSummary>): CallSummary => ({
  ...emptySummary(1, 1_000_000),
  deferralWindowMs: 15_000,
  ...more,
})

describe('answerTag', () => {
  it.each([
    [{}, 1_000_000, 'pending 15 s', 'waiting', true],
    [{}, 7_800_000, 'pending 8.2 s', 'waiting', true],
    [{}, 17_000_000, 'pending', 'waiting', true],
    [{ outcome: 'cancelled' }, 0, 'none', 'none', false],
    [{ answer: { form: 'json', status: 200, cause: 'result' }, outcome: 'result' }, 0, 'JSON 200', 'json', false],
    [{ answer: { form: 'json', status: 404, cause: 'error' }, outcome: 'error' }, 0, 'JSON 404', 'error', false],
    [{ answer: { form: 'json', status: 200, cause: 'error' }, outcome: 'error' }, 0, 'JSON 200', 'error', false],
    [{ answer: { form: 'sse', status: 200, cause: 'window' } }, 0, 'SSE open', 'waiting', true],
    [{ answer: { form: 'sse', status: 200, cause: 'window' }, outcome: 'result' }, 0, 'SSE 200', 'sse', false],
  ] satisfies [Partial<CallSummary>, number, string, string, boolean][])(
    '%j at %d is %s',
    (more, now, text, tone, open) => {
      expect(answerTag(call(more), now)).toMatchObject({ text, tone, open })
    },
  )
})

describe('lifeOf', () => {
  const done = call({
    answer: { form: 'sse', status: 200, cause: 'notification' },
    committedAt: 2_000_000,
    outcome: 'result',
    endedAt: 5_000_000,
    life: [
      { at: 1_000_000, mark: 'progress' },
      { at: 1_000_100, mark: 'progress' },
      { at: 2_000_000, mark: 'ping' },
      { at: 4_000_000, mark: 'progress' },
    ],
  })
  it('puts marks in proportion, and not on top of one another', () => {
    const life = lifeOf(done, 0, 250)
    const at = (share: number) => 2 + share * (life.length - 2)
    expect(life.hatch).toEqual({ from: 2, to: at(0.25) })
    expect(life.commit).toEqual({ x: at(0.25), tone: 'sse' })
    expect(life.marks).toEqual([
      { x: at(0.25), mark: 'progress' },
      { x: at(0.5), mark: 'ping' },
      { x: at(1), mark: 'progress' },
    ])
    expect(life.end).toEqual({ x: life.length, shape: 'square', tone: 'ok' })
    expect(life.now).toBeNull()
  })
  it('says that there were more marks than are kept', () => {
    expect(lifeOf(done, 0, 250).more).toBeNull()
    const life = lifeOf({ ...done, life: done.life.slice(0, 3), lifeDropped: 9 }, 0, 250)
    const middle = 2 + 0.5 * (life.length - 2)
    expect(life.more).toEqual({ from: middle + 4, to: life.length, count: 9 })
    // The last one that is kept may stand at the very end.
    const late = lifeOf({ ...done, life: [{ at: 4_000_000, mark: 'ping' }], lifeDropped: 1 }, 0, 250)
    expect(late.more).toEqual({ from: late.length, to: late.length, count: 1 })
  })
  it('is longer for longer calls and never leaves its column', () => {
    const length = (micros: number) => lifeOf(call({ outcome: 'result', endedAt: 1_000_000 + micros }), 0, 250).length
    const lengths = [4_000, 40_000, 400_000, 4_000_000, 40_000_000, 400_000_000].map(length)
    expect(lengths).toEqual([...lengths].sort((a, b) => a - b))
    expect(new Set(lengths.slice(0, 5)).size).toBe(5)
    expect(Math.max(...lengths)).toBeLessThanOrEqual(240)
  })
  it('grows with the time while the call is in flight, its window hatched at most to its end', () => {
    const open = call({})
    expect(lifeOf(open, 2_000_000, 250).length).toBeLessThan(lifeOf(open, 9_000_000, 250).length)
    const late = lifeOf(open, 31_000_000, 250)
    expect(late.end).toBeNull()
    expect(late.now).toBe(late.length)
    expect(late.hatch?.to).toBeCloseTo(2 + (late.length - 2) / 2)
  })
  it('shows every outcome by another shape or tone', () => {
    const outcomes = ['result', 'tool-error', 'error', 'input-required', 'task', 'cancelled'] as const
    expect(new Set(outcomes.map((outcome) => JSON.stringify(endMark({ outcome })))).size).toBe(6)
  })
})

describe('columns', () => {
  it('lays out the columns in sight with remembered widths', () => {
    const shown = COLUMNS.filter((each) => ['call', 'target', 'era'].includes(each.id))
    expect(gridTemplate(shown, {})).toBe('64px minmax(90px, 1fr) 48px')
    expect(gridTemplate(shown, { era: 10, target: 300 })).toBe('64px minmax(300px, 1fr) 40px')
    expect(leastWidth(shown, { target: 300 })).toBe(412)
  })
  it('lets the lane give way in narrow windows, unless its width was chosen', () => {
    const life = (available: number, widths = {}) => fitColumns(COLUMNS, widths, available, 'call').widths.life
    expect(life(1400)).toBe(250)
    expect(life(1100)).toBeLessThan(250)
    expect(life(700)).toBe(110)
    expect(life(700, { life: 300 })).toBe(300)
  })
  it('leaves room for the target before other columns', () => {
    // What the table gets in a window of 1100 pixels.
    const { columns, widths, withdrawn } = fitColumns(COLUMNS, {}, 935, 'call')
    expect(withdrawn).toEqual(['era'])
    const others = columns.filter((each) => !each.grows)
    expect(935 - leastWidth(others, widths) - 8 * others.length - 24).toBeGreaterThanOrEqual(165)
    expect(fitColumns(COLUMNS, {}, 1220, 'call')).toMatchObject({ columns: COLUMNS, withdrawn: [] })
    expect(fitColumns(COLUMNS, {}, 400, 'call')).toMatchObject({
      widths: { target: 170 },
      withdrawn: ['era', 'frames', 'time'],
    })
    expect(fitColumns(COLUMNS, { target: 100 }, 400, 'call').widths.target).toBe(100)
  })
  it('keeps what was chosen: widths, and the column that sorts', () => {
    const { widths, withdrawn } = fitColumns(COLUMNS, { method: 200, era: 60 }, 400, 'frames')
    expect(widths).toMatchObject({ method: 200, era: 60 })
    expect(withdrawn).toEqual(['time'])
    expect(fitColumns(COLUMNS, {}, 0, 'call')).toMatchObject({ columns: COLUMNS, widths: {} })
  })
  it('orders by a column, then by number', () => {
    const calls = [call({ call: 3, method: 'b' }), call({ call: 2, method: 'a' }), call({ call: 1, method: 'b' })]
    expect(calls.sort(compareBy('method')).map((each) => each.call)).toEqual([2, 1, 3])
  })
})
