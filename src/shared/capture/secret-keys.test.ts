import { describe, expect, it } from 'vitest'
import { applyTextEdits } from '../protocol/json-text'
import { namesSecret, redactedMark, secretEdits } from './secret-keys'

const keys = new Set(['password', 'apitoken'])
const redact = (text: string): string => applyTextEdits(text, secretEdits(text, { keys }))

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

describe('secretEdits', () => {
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

describe('names of secrets', () => {
  it.each([
    ['token', true],
    ['X-Token', true],
    ['GITHUB_TOKEN', true],
    ['OPENAI_API_KEY', true],
    ['NEXT_PAGE', false],
    ['page_token', false],
    ['TOKENS', false],
  ])('%s: %s', (name, expected) => {
    expect(namesSecret(name, new Set(['token', 'apikey']))).toBe(expected)
  })
})

describe('schemas of arguments with such names', () => {
  const inSchema = (schema: string, properties = 'properties'): string =>
    `{"inputSchema":{"type":"object","${properties}":{"a":{},"password":${schema}},"required":["password"]}}`

  it.each([
    '{"type":"string","description":"of the account"}',
    '{"type":["string","null"],"minLength":8}',
    '{"anyOf":[{"type":"string"},{"$ref":"#/$defs/password"}]}',
    '{}',
    '{"type":"object","properties":{"password":{"type":"string"}}}',
  ])('stay: %s', (schema) => {
    expect(redact(inSchema(schema))).toBe(inSchema(schema))
    expect(redact(inSchema(schema, '$defs'))).toBe(inSchema(schema, '$defs'))
  })

  it('lose their examples', () => {
    const schema = '{"type":"string","default":"abc","examples":["abc","abcd"],"enum":["abc"],"const":null}'
    expect(JSON.parse(redact(inSchema(schema)))).toMatchObject({
      inputSchema: {
        properties: {
          password: {
            type: 'string',
            default: '«redacted 4»',
            examples: ['«redacted 16»'],
            enum: ['«redacted 8»'],
            const: null,
          },
        },
      },
    })
  })

  it.each([
    ['outside of properties', '{"password":{"type":"string"}}'],
    ['with other members', inSchema('{"type":"string","value":"abc"}')],
    ['that say no type', inSchema('{"description":"abc"}')],
    ['of a type that is none', inSchema('{"type":"abc"}')],
    ['that are torn', '{"properties":{"password":{"type":"string","title":"abc'],
    ['of values', inSchema('"abc"')],
    ['below a list', '{"properties":[{"password":{"type":"string"}}]}'],
  ])('are secrets %s', (_name, text) => {
    expect(redact(text)).toMatch(/"password":"«redacted \d+»"/)
  })

  it('stay linear in hostile text', () => {
    const before = performance.now()
    redact('{"properties":{"password":{"type":"object",'.repeat(50_000))
    redact(`{"properties":{${'"password":{"type":"string"},'.repeat(50_000)}`)
    redact('{"properties":'.repeat(200_000))
    expect(performance.now() - before).toBeLessThan(5_000)
  })
})
