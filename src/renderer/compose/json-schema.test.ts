import { describe, expect, it } from 'vitest'
import type { JsonObject, JsonValue } from '../../shared/protocol/json-rpc'
import { addedValue, fieldOf, formProblem, startingValue, variantOf } from './json-schema'

const kind = (schema: JsonObject, root: JsonObject = schema) => fieldOf(schema, root).kind

describe('what a form makes of a schema', () => {
  it.each<[string, JsonObject, string]>([
    ['a text', { type: 'string', format: 'email' }, 'text'],
    ['an integer', { type: 'integer' }, 'number'],
    ['a flag', { type: 'boolean' }, 'boolean'],
    ['an enum', { enum: ['a', 1, null] }, 'choice'],
    [
      'titled constants',
      {
        oneOf: [
          { const: 'a', title: 'A' },
          { const: 'b', title: 'B' },
        ],
      },
      'choice',
    ],
    ['a list of an enum', { type: 'array', items: { anyOf: [{ const: 'a' }, { const: 'b' }] } }, 'several'],
    ['a list', { type: 'array', items: { type: 'string' } }, 'list'],
    ['a tuple', { type: 'array', prefixItems: [{}], items: {} }, 'json'],
    ['a union', { type: ['string', 'null'] }, 'variants'],
    ['an object by its members', { properties: { a: {} } }, 'object'],
    ['a constant', { const: 3 }, 'fixed'],
    ['nothing said', {}, 'json'],
  ])('%s', (_what, schema, expected) => expect(kind(schema)).toBe(expected))

  it('names of an old enum are its labels', () => {
    const field = fieldOf({ enum: ['a', 'b'], enumNames: ['First', 'Second'] }, {})
    expect(field).toMatchObject({ options: [{ label: 'First' }, { label: 'Second' }] })
  })

  it('references are followed, allOf is put together', () => {
    const root: JsonObject = {
      $defs: { 'a/b': { type: 'object', properties: { x: {} }, required: ['x'] }, more: { properties: { y: {} } } },
    }
    expect(kind({ $ref: '#/$defs/a~1b' }, root)).toBe('object')
    const both = fieldOf({ allOf: [{ $ref: '#/$defs/a~1b' }, { $ref: '#/$defs/more' }] }, root)
    expect(both).toMatchObject({
      members: [
        { name: 'x', required: true },
        { name: 'y', required: false },
      ],
    })
  })
})

describe('schemas that mean harm', () => {
  it('a reference to itself ends', () => {
    const root: JsonObject = { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } }
    expect(fieldOf(root, root)).toMatchObject({ kind: 'json', why: 'Its schema refers to itself without an end.' })
    expect(formProblem(root)).toBe('Its schema describes no object.')
  })
  it('an object that requires itself begins bounded', () => {
    const names = Array.from({ length: 20 }, (_, index) => `m${index}`)
    const root: JsonObject = {
      type: 'object',
      properties: Object.fromEntries(names.map((name) => [name, { $ref: '#' }])),
      required: names,
    }
    expect(JSON.stringify(startingValue(root, root)).length).toBeLessThan(5_000)
  })
  it.each(['https://evil.example/schema', '#/nowhere', '#/constructor', '#/__proto__'])('%s leads nowhere', ($ref) => {
    expect(kind({ $ref }, {})).toBe('json')
  })
  it('too many members or choices are written as JSON', () => {
    const properties = Object.fromEntries(Array.from({ length: 301 }, (_, index) => [`m${index}`, {}]))
    expect(kind({ type: 'object', properties })).toBe('json')
    expect(kind({ enum: Array.from({ length: 1_001 }, (_, index) => index) })).toBe('json')
  })
  it.each<[JsonObject | undefined, string]>([
    [undefined, 'It gives no schema of what it takes.'],
    [{ type: 'array' }, 'Its schema describes no object.'],
    [{ type: 'object', additionalProperties: {} }, 'Its schema takes arguments without naming them.'],
    [{ type: 'object', description: 'x'.repeat(400_001) }, 'Its schema is too large for a form.'],
  ])('without a form it says why', (schema, words) => expect(formProblem(schema)).toBe(words))
})

it('a form begins with defaults, constants and required objects', () => {
  const schema: JsonObject = {
    type: 'object',
    properties: {
      city: { type: 'string' },
      days: { type: 'integer', default: 3 },
      kind: { const: 'card' },
      who: { type: 'object', properties: { seat: { default: 'window' } } },
      lines: { type: 'array', minItems: 1, items: { type: 'object', properties: { n: { default: 1 } } } },
    },
    required: ['city', 'kind', 'who', 'lines'],
  }
  expect(startingValue(schema, schema)).toEqual({ days: 3, kind: 'card', who: { seat: 'window' }, lines: [{ n: 1 }] })
})

it('constants tell variants apart', () => {
  const variants = ['card', 'invoice'].map((name) => ({
    schema: { type: 'object', properties: { kind: { const: name } }, required: ['kind'] },
  }))
  expect(variantOf({ kind: 'invoice', days: 3 }, variants, {})).toBe(1)
  expect(variantOf({ kind: 'cash' }, variants, {})).toBe(-1)
  expect(variantOf(undefined, variants, {})).toBe(-1)
})

it.each<[string, JsonObject, JsonValue]>([
  ['scalars', { anyOf: [{ type: 'string' }, { type: 'number' }] }, ''],
  ['a union with null', { type: ['number', 'null'] }, 0],
  [
    'objects',
    { oneOf: [{ type: 'object', required: ['kind'], properties: { kind: { const: 'card' } } }, { type: 'string' }] },
    { kind: 'card' },
  ],
])('what is added of variants is the first of them: %s', (_what, schema, expected) => {
  const added = addedValue(schema, schema)
  expect(added).toEqual(expected)
  const field = fieldOf(schema, schema)
  expect(field.kind === 'variants' && variantOf(added, field.variants, schema)).toBe(0)
})

it('variants of variants without an end are added as nothing', () => {
  const root: JsonObject = { $defs: { a: { oneOf: [{ $ref: '#/$defs/a' }, { type: 'string' }] } }, $ref: '#/$defs/a' }
  expect(addedValue(root, root)).toBeNull()
})
