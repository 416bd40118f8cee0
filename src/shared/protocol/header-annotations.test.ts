import { expect, it } from 'vitest'
import type { JsonValue } from './json-rpc'
import { headerAnnotationFault } from './header-annotations'

const region = { type: 'string', 'x-mcp-header': 'Region' }
const object = (properties: { [name: string]: JsonValue }, more: { [name: string]: JsonValue } = {}): JsonValue => ({
  type: 'object',
  properties,
  ...more,
})

it.each<[string, JsonValue]>([
  ['no annotation', object({ a: { type: 'number' } })],
  [
    'string, integer, boolean',
    object({ a: region, b: { type: 'integer', 'x-mcp-header': 'B' }, c: { type: 'boolean', 'x-mcp-header': 'c' } }),
  ],
  ['nested objects', object({ where: object({ region }) })],
  ['a property that is called like the annotation', object({ 'x-mcp-header': { type: 'number' } })],
  ['data that looks like an annotation', object({ a: { type: 'object', default: { 'x-mcp-header': 5 } } })],
  ['no schema at all', 5],
])('takes %s', (_, schema) => expect(headerAnnotationFault(schema)).toBeUndefined())

it.each<[string, JsonValue, string]>([
  ['at the root', { type: 'object', 'x-mcp-header': 'A' }, 'at the root is not on a property'],
  ['on a number', object({ a: { type: 'number', 'x-mcp-header': 'A' } }), 'no string, integer or boolean'],
  [
    'on a type union',
    object({ a: { type: ['string', 'null'], 'x-mcp-header': 'A' } }),
    'no string, integer or boolean',
  ],
  ['on an untyped property', object({ a: { 'x-mcp-header': 'A' } }), 'no string, integer or boolean'],
  ['empty', object({ a: { type: 'string', 'x-mcp-header': '' } }), 'no header field name'],
  ['with a space', object({ a: { type: 'string', 'x-mcp-header': 'A B' } }), 'no header field name'],
  ['with a line break', object({ a: { type: 'string', 'x-mcp-header': 'A\r\nB' } }), 'no header field name'],
  ['no text', object({ a: { type: 'string', 'x-mcp-header': 5 } }), 'no header field name'],
  [
    'twice, in another case',
    object({ a: region, b: { type: 'string', 'x-mcp-header': 'REGION' } }),
    'stands on two properties',
  ],
  ['in items', object({ a: { type: 'array', items: region } }), '"a<items>" is not on a property'],
  ['in prefixItems', object({ a: { type: 'array', prefixItems: [region] } }), 'is not on a property'],
  ['in oneOf', object({}, { oneOf: [object({ region })] }), 'is not on a property'],
  ['in anyOf', object({ a: { anyOf: [region] } }), 'is not on a property'],
  ['in allOf', object({}, { allOf: [object({ region })] }), 'is not on a property'],
  ['in not', object({}, { not: object({ region }) }), 'is not on a property'],
  ['in then', object({}, { if: {}, then: object({ region }) }), 'is not on a property'],
  ['in $defs', object({}, { $defs: { region } }), 'is not on a property'],
  ['in patternProperties', object({}, { patternProperties: { '^x': region } }), 'is not on a property'],
  ['in additionalProperties', object({}, { additionalProperties: region }), 'is not on a property'],
])('refuses one %s', (_, schema, fault) => expect(headerAnnotationFault(schema)).toContain(fault))

it('looks into any depth', () => {
  let schema: JsonValue = object({ region: { type: 'number', 'x-mcp-header': 'Region' } })
  for (let depth = 0; depth < 3_000; depth++) schema = object({ n: schema })
  expect(headerAnnotationFault(schema)).toContain('no string')
})
