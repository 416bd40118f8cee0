import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import type { JsonObject, JsonValue } from '../../shared/protocol/json-rpc'
import { SchemaForm } from './schema-form'

const form = (schema: JsonObject, value: JsonValue) =>
  renderToStaticMarkup(
    <SchemaForm labelId="title" base="" root={schema} problems={[]} onEdit={() => {}} schema={schema} value={value} />,
  )
const withMember = (member: JsonObject, required: string[] = []): JsonObject => ({
  type: 'object',
  properties: { age: member },
  required,
})

it.each<[string, JsonObject, JsonValue]>([
  ['anyOf with null', { anyOf: [{ type: 'integer' }, { type: 'null' }] }, 3],
  ['a list of types', { type: ['string', 'null'] }, null],
  ['a choice', { enum: ['a', 'b'] }, 'a'],
  ['a flag', { type: 'boolean' }, true],
  ['a list', { type: 'array', items: { type: 'string' } }, []],
])('an optional member can be left out in one way: %s', (_name, member, value) => {
  expect(form(withMember(member), { age: value }).match(/left out|leave out/g)).toHaveLength(1)
})

it('a required member of variants cannot be left out', () => {
  const nullable = { anyOf: [{ type: 'integer' }, { type: 'null' }] }
  expect(form(withMember(nullable, ['age']), { age: 3 })).not.toMatch(/left out|leave out/)
})

it('the fields of a variant say where they stand in the whole value', () => {
  const stop = { title: 'train', type: 'object', properties: { seat: { type: 'integer' } } }
  const markup = form(withMember({ oneOf: [stop, { type: 'string' }] }), { age: { seat: 1 } })
  expect(markup).toContain('data-pointer="/age/seat"')
})

it('the star of what is required is bound to its name', () => {
  expect(form(withMember({ type: 'integer' }, ['age']), {})).toContain('\u2060*')
})
