import { expect, it } from 'vitest'
import { checkValue } from './schema-check'

it('names each place and what is wrong with it, once', () => {
  const schema = {
    type: 'object',
    properties: {
      city: { type: 'string', minLength: 2 },
      lines: { type: 'array', items: { type: 'object', required: ['a/b'], properties: { n: { type: 'integer' } } } },
    },
    required: ['city', 'when'],
    additionalProperties: false,
  }
  const problems = checkValue(schema, { city: 'x', lines: [{ 'a/b': 1 }, { n: 1.5 }], other: 1 })
  expect(problems.map(({ pointer }) => pointer).sort()).toEqual([
    '/city',
    '/lines/1/a~1b',
    '/lines/1/n',
    '/other',
    '/when',
  ])
  expect(problems).toContainEqual({ pointer: '/lines/1/n', message: 'should be integer, not number' })
  expect(problems).toContainEqual({ pointer: '/when', message: 'is required', missing: true })
})

it('says which pattern and which length', () => {
  const schema = {
    properties: {
      code: { anyOf: [{ type: 'string', pattern: '^[A-Z]{3}$' }, { type: 'null' }] },
      name: { type: 'string', minLength: 2 },
      'a/b': { type: 'string', maxLength: 3 },
      next: { $ref: '#/$defs/code' },
    },
    $defs: { code: { pattern: '^x' } },
  }
  expect(checkValue(schema, { code: 'abc', name: 'x', 'a/b': 'long', next: 'y' })).toEqual([
    { pointer: '/code', message: 'does not match the pattern ^[A-Z]{3}$' },
    { pointer: '/name', message: 'has 1 character, at least 2 are wanted' },
    { pointer: '/a~1b', message: 'has 4 characters, at most 3 are wanted' },
    { pointer: '/next', message: expect.stringMatching(/pattern/) as string },
  ])
})

it('of variants that all fail, tells of the nearest', () => {
  const schema = {
    oneOf: [
      { properties: { kind: { const: 'card' }, number: { type: 'string' } }, required: ['kind', 'number'] },
      { properties: { kind: { const: 'invoice' }, days: { enum: [14, 30] } }, required: ['kind'] },
    ],
  }
  expect(checkValue(schema, { kind: 'card' })).toEqual([{ pointer: '/number', message: 'is required', missing: true }])
  expect(checkValue(schema, { kind: 'invoice', days: 7 })).toMatchObject([{ pointer: '/days' }])
  expect(checkValue(schema, { kind: 'invoice', days: 14 })).toEqual([])
})

it('a schema that cannot be used throws', () => {
  expect(() => checkValue({ $ref: 'https://example.com/x' }, 1)).toThrow()
  expect(() => checkValue({ pattern: '(' }, 'x')).toThrow()
})

it('reads a schema in the dialect that it names', () => {
  const schema = (dialect: string) => ({ $schema: dialect, items: [{ type: 'string' }] })
  // An array of items became `prefixItems` in 2020-12.
  expect(checkValue(schema('http://json-schema.org/draft-07/schema#'), [1])).toMatchObject([{ pointer: '/0' }])
  expect(checkValue(schema('https://json-schema.org/draft/2019-09/schema'), [1])).toMatchObject([{ pointer: '/0' }])
  expect(checkValue({ exclusiveMinimum: 3 }, 3)).toMatchObject([{ pointer: '' }])
})

it('a schema that leads to itself throws, and does not run for ever', () => {
  expect(() => checkValue({ $ref: '#' }, 1)).toThrow()
})
