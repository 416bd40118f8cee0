import { describe, expect, it } from 'vitest'
import { readEvent, readHeader } from './schema'

const stamp = { seq: 1, at: 0, call: 1 }
const problemOf = (value: unknown): string => {
  const read = readEvent(value)
  return read.ok ? 'none' : read.problem
}

describe('what is wrong with an event', () => {
  it.each([
    [7, 'no JSON object'],
    [[stamp], 'no JSON object'],
    [{ ...stamp }, '"kind" is missing'],
    [{ seq: 1, at: 0, kind: 'response.ping' }, '"call" is missing'],
    [{ ...stamp, call: 'x', kind: 'response.ping' }, '"call" is a string, and should be a number'],
    [{ ...stamp, kind: 7 }, '"kind" is 7, which is not known there'],
    [{ ...stamp, kind: 'call.ended', outcome: 'gone', by: 'backend' }, '"outcome" is "gone", which is not known there'],
    [
      { ...stamp, kind: 'upstream.head', exchange: 1, status: 200, headers: {} },
      '"headers" is an object, and should be an array',
    ],
  ])('is said with its place: %j', (value, words) => expect(problemOf(value)).toBe(words))

  it('is short, whatever the file has there', () => {
    const outcome = 'a'.repeat(10_000)
    expect(problemOf({ ...stamp, kind: 'call.ended', outcome, by: 'backend' }).length).toBeLessThan(120)
    const deep = readHeader({ format: 'sluice-capture', version: 1, startedAt: outcome })
    expect(deep.ok ? '' : deep.problem.length).toBeLessThan(120)
  })
})
