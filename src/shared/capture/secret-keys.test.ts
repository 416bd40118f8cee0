import { describe, expect, it } from 'vitest'
import { redactedMark, redactJson } from './secret-keys'

const keys = new Set(['password', 'apitoken'])
const redact = (text: string): string => redactJson(text, keys)

describe('redactedMark', () => {
  it.each([
    [1, 1],
    [3, 4],
    [16, 16],
    [17, 32],
    [1_000, 1_024],
  ])('tells of %d characters only that they were at most %d', (length, bound) => {
    expect(redactedMark(length)).toBe(`«redacted ${bound}»`)
  })
})

describe('redactJson', () => {
  it.each([
    ['a value at any depth', '{"a":[{"password":"abc"}],"b":1.0}', '{"a":[{"password":"«redacted 4»"}],"b":1.0}'],
    ['a key in any case', '{"apiToken":"abcd"}', '{"apiToken":"«redacted 4»"}'],
    ['a key with escapes', '{"pass\\u0077ord":"abcd"}', '{"pass\\u0077ord":"«redacted 4»"}'],
    ['white space around', '{ "password" :\n "ab" }', '{ "password" :\n "«redacted 2»" }'],
    ['every duplicate', '{"password":"a","password":"b"}', '{"password":"«redacted 1»","password":"«redacted 1»"}'],
    ['numbers and booleans', '{"password":12345,"x":1}', '{"password":"«redacted 8»","x":1}'],
    ['whole objects', '{"password":{"a":["}"]},"x":1}', '{"password":"«redacted 16»","x":1}'],
    ['whole lists', '{"password":["a","b"]}', '{"password":"«redacted 16»"}'],
    ['quotes inside the value', '{"password":"a\\"b\\\\","x":"y"}', '{"password":"«redacted 8»","x":"y"}'],
    ['text that is cut in the value', '{"password":"abcdefgh', '{"password":"«redacted 8»"'],
    ['JSON that is broken before it', '{]],"password":"ab"', '{]],"password":"«redacted 2»"'],
    [
      'JSON in a string',
      '{"text":"{\\"password\\":\\"abc\\",\\"n\\":1.0}"}',
      '{"text":"{\\"password\\":\\"«redacted 4»\\",\\"n\\":1.0}"}',
    ],
  ])('replaces %s', (_name, text, expected) => {
    expect(redact(text)).toBe(expected)
  })

  it.each([
    ['null', '{"password":null}'],
    ['a key that is a value', '["password","abc"]'],
    ['a longer key', '{"passwords":"abc","xpassword":1}'],
    ['what is a mark already', '{"password":"«redacted 8»"}'],
    ['no JSON', 'password: abc'],
    ['nothing', ''],
    ['a lone quote', '"'],
    ['a key without value', '{"password":'],
  ])('leaves %s', (_name, text) => {
    expect(redact(text)).toBe(text)
  })

  it('reaches JSON in JSON in JSON', () => {
    const inner = JSON.stringify({ password: 'hunter2' })
    const text = JSON.stringify({ a: JSON.stringify({ b: inner }) })
    expect(redact(text)).not.toContain('hunter2')
  })

  it('is linear in hostile text', () => {
    const before = performance.now()
    redact('{"a":"' + '\\"'.repeat(500_000))
    redact('{"password":'.repeat(200_000))
    redact('"'.repeat(500_001))
    redact('['.repeat(1_000_000) + '"password":[')
    expect(performance.now() - before).toBeLessThan(5_000)
  })
})
