import { describe, expect, it } from 'vitest'
import type { EndpointOffer } from '../../shared/api/compose'
import { chosen, EMPTY_DRAFT, expanded, formOf, requestOf, variablesOf } from './draft'

const OFFER: EndpointOffer = {
  endpoint: '/mcp',
  era: 'modern',
  tools: [
    { name: 'a', inputSchema: { type: 'object', properties: { x: { type: 'string' } } } },
    { name: 'b' },
    { name: 'now', inputSchema: { type: 'object' } },
  ],
  prompts: [{ name: 'p', arguments: [{ name: 'city', required: true }, { name: 'style' }] }],
  resources: [],
  resourceTemplates: [],
  problems: [],
}

describe('a form for what is chosen', () => {
  it('of a tool by its schema, of a prompt by its arguments', () => {
    expect(formOf('tools/call', 'a', OFFER)).toMatchObject({ path: ['arguments'], schema: { type: 'object' } })
    expect(formOf('prompts/get', 'p', OFFER)).toMatchObject({ schema: { required: ['city'] } })
  })
  it('that takes no arguments says so, and is checked all the same', () => {
    expect(formOf('tools/call', 'now', OFFER)).toEqual({
      schema: { type: 'object' },
      path: ['arguments'],
      takesNone: true,
    })
    const closed = { type: 'object', properties: {}, additionalProperties: false }
    expect(formOf('tools/call', 'n', { ...OFFER, tools: [{ name: 'n', inputSchema: closed }] })).toMatchObject({
      takesNone: true,
    })
    expect(formOf('tools/call', 'a', OFFER)).not.toHaveProperty('takesNone')
  })
  it.each([
    ['tools/call', 'b', 'It gives no schema'],
    ['tools/call', 'c', 'lists no tool of this name'],
    ['tools/call', null, 'Choose a tool'],
    ['tools/list', null, 'There is no form for tools/list'],
  ])('%s %s has none, and says why', (method, name, words) => {
    expect(formOf(method, name, OFFER)).toMatchObject({ schema: null, why: expect.stringContaining(words) })
  })
})

describe('a request of a draft', () => {
  it('is what is in its way when a text is no JSON', () => {
    expect(requestOf({ ...EMPTY_DRAFT, params: '{' })).toMatchObject({ problem: expect.stringMatching(/^params: /) })
    expect(requestOf({ ...EMPTY_DRAFT, meta: '[]' })).toMatchObject({ problem: expect.stringMatching(/^_meta: /) })
  })
  it('has its params as written, and no empty fields', () => {
    const headers = [
      { name: ' ', value: 'x' },
      { name: ' X-A ', value: '1' },
    ]
    expect(requestOf({ ...EMPTY_DRAFT, params: '{"n":1.0}', headers })).toMatchObject({
      request: { params: '{"n":1.0}', settings: { headers: [{ name: 'X-A', value: '1' }] } },
    })
  })
})

describe('URI templates', () => {
  it('name their variables', () => {
    expect(variablesOf('x://{city}/{+path}{?days,units*}')).toEqual(['city', 'path', 'days', 'units'])
    expect(chosen('template', { uriTemplate: 'w://{city}' }).template?.values).toEqual({ city: '' })
  })
  it('are filled in, and keep what has no value', () => {
    const values = { city: 'São Paulo', path: 'a/b', days: '3', units: '' }
    expect(expanded('x://{city}/{+path}{?days,units*}', values)).toBe('x://S%C3%A3o%20Paulo/a/b?days=3')
    expect(expanded('x://{city}/{day}', { city: 'Oslo' })).toBe('x://Oslo/{day}')
  })
})
