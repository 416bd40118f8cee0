import { describe, expect, it } from 'vitest'
import type { CallSummary } from '../../shared/capture/summary'
import { callFor, tourSteps } from './tour-steps'

const steps = tourSteps('Ctrl K', '?')
const call = (number: number, more: Partial<CallSummary>) =>
  ({
    call: number,
    answer: null,
    outcome: 'result',
    progress: 0,
    stream: null,
    round: 1,
    drivenRounds: 0,
    ...more,
  }) as CallSummary
const answer = { form: 'sse', status: 200, cause: 'notification' } as const satisfies CallSummary['answer']

describe('the steps', () => {
  it('name the keys as they are chosen', () => {
    expect(steps.at(-1)?.text).toContain('Ctrl K has every command')
    expect(steps.at(-1)?.text).toContain('? shows all keys')
  })

  it('open the newest call that shows what they are about', () => {
    const newest = [
      call(5, { answer, stream: {} as CallSummary['stream'] }),
      call(4, { answer, progress: 2, outcome: 'cancelled' }),
      call(3, { round: 3 }),
      call(2, { answer, progress: 2 }),
    ]
    expect(steps.map((step) => callFor(step, newest)?.call)).toEqual([
      undefined,
      undefined,
      2,
      3,
      undefined,
      undefined,
      undefined,
    ])
  })

  it('open any other stream when there is no better one', () => {
    expect(steps.map((step) => callFor(step, [call(1, { answer })])?.call)).toEqual(
      steps.map((_, at) => (at === 2 ? 1 : undefined)),
    )
  })

  it('open none when none fits', () => {
    expect(steps.map((step) => callFor(step, [call(1, {})]))).toEqual(steps.map(() => undefined))
  })
})
