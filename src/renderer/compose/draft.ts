import type { ComposedRequest, ComposeSettings, EndpointOffer } from '../../shared/api/compose'
import { isObject, type JsonObject, type JsonValue } from '../../shared/protocol/json-rpc'
import type { LogLevel } from '../../shared/protocol/meta'
import type { Era } from '../../shared/protocol/revisions'
import { fieldOf, formProblem, startingValue } from './json-schema'
import { readObject, type Path } from './params-text'

/** A request as it is edited: texts may be no JSON for a while. */
export interface Draft {
  endpoint: string
  era: Era
  method: string
  /** JSON text of the params. */
  params: string
  /** JSON texts of objects. */
  capabilities: string
  meta: string
  logLevel: LogLevel | null
  progress: boolean
  headers: { name: string; value: string }[]
  /** The template that the URI in the params is made of, with the values of its variables. */
  template: { uriTemplate: string; values: Record<string, string> } | null
}

/** What the desk can answer, which is everything. */
const ALL_CAPABILITIES: JsonObject = { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} }

export const EMPTY_DRAFT: Draft = {
  endpoint: '/mcp',
  era: 'modern',
  method: 'tools/call',
  params: '{}',
  capabilities: JSON.stringify(ALL_CAPABILITIES, null, 2),
  meta: '{}',
  logLevel: 'info',
  progress: true,
  headers: [],
  template: null,
}

/** Methods that can be chosen; others can be typed. */
export const METHODS = [
  'tools/call',
  'prompts/get',
  'resources/read',
  'completion/complete',
  'tools/list',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
  'server/discover',
] as const

/** The request of a draft, or what is in its way, in words. */
export function requestOf(draft: Draft): { request: ComposedRequest } | { problem: string } {
  const { endpoint, era, method, params, capabilities, meta, logLevel, progress, headers } = draft
  const texts = { params, capabilities, _meta: meta }
  for (const [name, text] of Object.entries(texts)) {
    const { mark } = readObject(text)
    if (mark !== null) return { problem: `${name}: ${mark.message}` }
  }
  if (method.trim() === '') return { problem: 'Give a method.' }
  const settings: ComposeSettings = {
    capabilities: readObject(capabilities).value ?? {},
    meta: readObject(meta).value ?? {},
    logLevel,
    progress,
    headers: headers.filter(({ name }) => name.trim() !== '').map(({ name, value }) => ({ name: name.trim(), value })),
  }
  return { request: { endpoint, era, method: method.trim(), params, settings } }
}

export function draftOf({ endpoint, era, method, params, settings }: ComposedRequest): Draft {
  const { capabilities, meta, logLevel, progress, headers } = settings
  return {
    endpoint,
    era,
    method,
    params,
    capabilities: JSON.stringify(capabilities, null, 2),
    meta: JSON.stringify(meta, null, 2),
    logLevel,
    progress,
    headers: headers.map((header) => ({ ...header })),
    template: null,
  }
}

/** The form of a draft: a schema, where its value stands in the params, or why there is none. */
export type DraftForm = { schema: JsonObject; path: Path; takesNone?: true } | { schema: null; why: string }

const NAMED = { type: 'string' }
const URI_SCHEMA: JsonObject = {
  type: 'object',
  properties: { uri: { type: 'string', title: 'URI' } },
  required: ['uri'],
}
const COMPLETION_SCHEMA: JsonObject = {
  type: 'object',
  properties: {
    ref: {
      title: 'What is completed',
      oneOf: [
        {
          title: 'prompt',
          type: 'object',
          properties: { type: { const: 'ref/prompt' }, name: NAMED },
          required: ['type', 'name'],
        },
        {
          title: 'resource template',
          type: 'object',
          properties: { type: { const: 'ref/resource' }, uri: NAMED },
          required: ['type', 'uri'],
        },
      ],
    },
    argument: {
      title: 'Argument',
      type: 'object',
      properties: { name: NAMED, value: { type: 'string', description: 'What has been typed of it.' } },
      required: ['name', 'value'],
    },
    context: {
      title: 'Arguments that are known already',
      type: 'object',
      properties: { arguments: { type: 'object', additionalProperties: NAMED } },
    },
  },
  required: ['ref', 'argument'],
}

export function formOf(method: string, name: string | null, offer: EndpointOffer | null): DraftForm {
  if (method === 'resources/read') return { schema: URI_SCHEMA, path: [] }
  if (method === 'completion/complete') return { schema: COMPLETION_SCHEMA, path: [] }
  if (method !== 'tools/call' && method !== 'prompts/get')
    return { schema: null, why: `There is no form for ${method}. Write its params as JSON.` }
  if (offer === null) return { schema: null, why: 'The lists of the endpoint are not read yet.' }
  const kind = method === 'tools/call' ? 'tool' : 'prompt'
  const listed = (kind === 'tool' ? offer.tools : offer.prompts).find((each) => each.name === name)
  if (listed === undefined) {
    const what = name === null || name === '' ? `Choose a ${kind}` : `The endpoint lists no ${kind} of this name`
    return { schema: null, why: `${what}, or write the params as JSON.` }
  }
  const schema = kind === 'tool' ? listed.inputSchema : promptSchema(listed)
  const problem = formProblem(schema)
  if (problem !== null || !isObject(schema)) return { schema: null, why: `${problem ?? ''} Write the params as JSON.` }
  const field = fieldOf(schema, schema)
  if (field.kind === 'object' && field.members.length === 0) return { schema, path: ['arguments'], takesNone: true }
  return { schema, path: ['arguments'] }
}

/** Arguments of prompts are texts (server/prompts). */
function promptSchema(prompt: JsonObject): JsonObject {
  const listed = Array.isArray(prompt.arguments) ? prompt.arguments.filter(isObject) : []
  const named = listed.filter((each) => typeof each.name === 'string')
  return {
    type: 'object',
    properties: Object.fromEntries(
      named.map(({ name, title, description }): [string, JsonObject] => [
        String(name),
        {
          type: 'string',
          ...(title === undefined ? {} : { title }),
          ...(description === undefined ? {} : { description }),
        },
      ]),
    ),
    required: named.filter((each) => each.required === true).map(({ name }) => String(name)),
    additionalProperties: false,
  }
}

export type OfferKind = 'tool' | 'prompt' | 'resource' | 'template' | 'method'

/** What changes in a draft when something of the offer is chosen. */
export function chosen(kind: OfferKind, entry: JsonObject): Pick<Draft, 'method' | 'params' | 'template'> {
  const text = (params: JsonObject) => JSON.stringify(params, null, 2)
  switch (kind) {
    case 'tool': {
      const schema = isObject(entry.inputSchema) ? entry.inputSchema : {}
      const begun = startingValue(schema, schema)
      const params = { name: entry.name ?? '', arguments: isObject(begun) ? begun : {} }
      return { method: 'tools/call', params: text(params), template: null }
    }
    case 'prompt':
      return { method: 'prompts/get', params: text({ name: entry.name ?? '', arguments: {} }), template: null }
    case 'resource':
      return { method: 'resources/read', params: text({ uri: entry.uri ?? '' }), template: null }
    case 'template': {
      const uriTemplate = String(entry.uriTemplate)
      const values = Object.fromEntries(variablesOf(uriTemplate).map((name): [string, string] => [name, '']))
      return { method: 'resources/read', params: text({ uri: uriTemplate }), template: { uriTemplate, values } }
    }
    case 'method':
      return { method: String(entry.name), params: text(startingParams(String(entry.name))), template: null }
  }
}

function startingParams(method: string): JsonObject {
  const begun = method === 'completion/complete' ? startingValue(COMPLETION_SCHEMA, COMPLETION_SCHEMA) : undefined
  return isObject(begun) ? { ...begun, ref: { type: 'ref/prompt', name: '' }, argument: { name: '', value: '' } } : {}
}

const EXPRESSION = /\{([+#./;?&]?)([^{}]{1,200})\}/g

/** Names of the variables of a URI template (RFC 6570), in order. */
export function variablesOf(template: string): string[] {
  const names = [...template.matchAll(EXPRESSION)].flatMap(([, , list]) => (list ?? '').split(','))
  return [...new Set(names.map((name) => name.replace(/[*:].*$/, '').trim()).filter((name) => name !== ''))]
}

/** A URI template filled in (RFC 6570, levels 1 and 2 and lists of names); a variable without a value stays as it stands. */
export function expanded(template: string, values: Record<string, string>): string {
  return template.replace(EXPRESSION, (whole, operator: string, list: string) => {
    const names = list.split(',').map((name) => name.replace(/[*:].*$/, '').trim())
    const given = names.filter((name) => (values[name] ?? '') !== '')
    if (given.length === 0) return whole
    const free = operator === '+' || operator === '#'
    const encode = (value: string) => (free ? encodeURI(value) : encodeURIComponent(value))
    const named = operator === '?' || operator === '&' || operator === ';'
    const parts = given.map((name) => `${named ? `${name}=` : ''}${encode(values[name] ?? '')}`)
    const [first, between] = { '': ['', ','], '+': ['', ','], '#': ['#', ','], '?': ['?', '&'] }[operator] ?? [
      operator,
      operator,
    ]
    return `${first ?? ''}${parts.join(between)}`
  })
}

/** Name or URI that the params of a draft point at; null when they cannot be read. */
export function targetOf(method: string, params: JsonObject | null): string | null {
  const target = method === 'resources/read' ? params?.uri : params?.name
  return typeof target === 'string' ? target : null
}

export function valueAt(value: JsonObject | null, path: Path): JsonValue | undefined {
  let at: JsonValue | undefined = value ?? undefined
  for (const step of path) at = isObject(at) ? at[step] : undefined
  return at
}
