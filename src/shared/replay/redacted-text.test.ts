import { describe, expect, it } from 'vitest'
import { fitsMarks, holdsMark, withEqualMarks } from './redacted-text'

describe('fitsMarks', () => {
  it.each([
    ['{"pin":"«redacted 4»","unit":"C"}', '{"pin":"1234","unit":"C"}'],
    ['{"pin":"«redacted 4»"}', '{"pin":"«redacted 8»"}'],
    ['a «redacted 1» b «redacted 1» b', 'a x b y b b'],
    ['«redacted 4»', ''],
    ['«redacted 4»«redacted 4»', 'x'],
    ['«redacted 2»aab«redacted 2»', 'aaab'],
    ['no mark', 'no mark'],
  ])('takes %j and %j for the same', (redacted, text) => {
    expect(fitsMarks(redacted, text)).toBe(true)
  })

  it.each([
    ['{"pin":"«redacted 4»","unit":"C"}', '{"pin":"1234","unit":"F"}'],
    ['a«redacted 1»a', 'a'],
    ['a «redacted 1» b «redacted 1» c', 'a x c y b c'],
    ['x«redacted 1»', 'y'],
    ['no mark', 'no marks'],
  ])('tells %j and %j apart', (redacted, text) => {
    expect(fitsMarks(redacted, text)).toBe(false)
  })

  it('takes no time for texts that are made to take it', { timeout: 5_000 }, () => {
    const length = 400_000
    const piece = `b${'a'.repeat(length)}`
    expect(fitsMarks(`«redacted 1»${piece}«redacted 1»`, 'a'.repeat(4 * length))).toBe(false)
    expect(fitsMarks('«redacted 1»a'.repeat(length), 'a'.repeat(length))).toBe(true)
  })
})

it('knows marks inside of texts, and makes them alike', () => {
  expect([holdsMark('x«redacted 16»'), holdsMark('«redacted»'), holdsMark(4)]).toEqual([true, false, false])
  expect(withEqualMarks('a «redacted 4» b «redacted 8»')).toBe('a «redacted» b «redacted»')
})
