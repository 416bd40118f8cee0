import { describe, expect, it } from 'vitest'
import { marksOf, readObject, withValueAt } from './params-text'

describe('reading', () => {
  it('says where the text is no JSON', () => {
    expect(readObject('{"a": 1,\n  "b" 2}').mark).toMatchObject({
      from: 15,
      message: 'This is no JSON: colon expected.',
    })
    expect(readObject('').mark).not.toBeNull()
    expect(readObject('{"a":1} // x').mark).not.toBeNull()
    expect(readObject('[1]').mark).toMatchObject({ message: 'This is JSON, but no object.' })
  })
})

it('an edit of the form leaves the rest of the text as it is', () => {
  const text = '{ "name":"t", "arguments": {"big": 1.50e3,   "city": "Oslo"} }'
  expect(withValueAt(text, ['arguments', 'city'], 'Kyoto')).toBe(text.replace('Oslo', 'Kyoto'))
  expect(withValueAt(text, ['arguments', 'city'], undefined)).toContain('"big": 1.50e3')
  expect(JSON.parse(withValueAt('{}', ['arguments', 'city'], 'Oslo') ?? '')).toEqual({ arguments: { city: 'Oslo' } })
  expect(withValueAt('{"arguments":[1]}', ['arguments', 'city', 'x'], 1)).toBeUndefined()
})

it('problems are marked where they stand; what is missing, at what it is missing in', () => {
  const text = '{"arguments":{"lines":[{"n":1.5}]}}'
  const marks = marksOf(
    text,
    ['arguments'],
    [
      { pointer: '/lines/0/n', message: 'is no integer' },
      { pointer: '/city', message: 'is required' },
    ],
  )
  expect(marks[0]).toEqual({ from: text.indexOf('1.5'), to: text.indexOf('1.5') + 3, message: 'is no integer' })
  expect(marks[1]).toMatchObject({ from: text.indexOf('{"lines'), message: '"city" is required' })
})
