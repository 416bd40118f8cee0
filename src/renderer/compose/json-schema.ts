import { isObject, type JsonObject, type JsonValue } from '../../shared/protocol/json-rpc'

export interface Option {
  value: JsonValue
  label: string
}

/** One member of an object, as a form shows it. */
export interface Member {
  name: string
  schema: JsonObject
  required: boolean
}

/** What a form can make of a schema. `json`: nothing, the value is written as JSON; `why` says so in words. */
export type Field =
  | { kind: 'fixed'; value: JsonValue }
  | { kind: 'choice'; options: Option[] }
  | { kind: 'several'; options: Option[] }
  | { kind: 'text'; format: string | null; long: boolean }
  | { kind: 'number'; integer: boolean }
  | { kind: 'boolean' }
  | { kind: 'object'; members: Member[] }
  | { kind: 'list'; items: JsonObject }
  | { kind: 'variants'; variants: { label: string; schema: JsonObject }[] }
  | { kind: 'json'; why: string }

/** Schemas come from servers: what is larger than this is no form for people, or is meant to do harm. */
const MOST_MEMBERS = 300
export const MOST_DEPTH = 8
const MOST_OPTIONS = 1_000
const MOST_VARIANTS = 50
const MOST_REFERENCES = 20
const LONGEST_SCHEMA = 400_000
const LONG_TEXT = 200

/** Why there is no form for the arguments of a tool, in words; null when there is one. */
export function formProblem(schema: JsonValue | undefined): string | null {
  if (!isObject(schema)) return 'It gives no schema of what it takes.'
  if (JSON.stringify(schema).length > LONGEST_SCHEMA) return 'Its schema is too large for a form.'
  const field = fieldOf(schema, schema)
  if (field.kind === 'object' && field.members.length === 0 && takesUnnamed(schema))
    return 'Its schema takes arguments without naming them.'
  return field.kind === 'object' || field.kind === 'variants' ? null : 'Its schema describes no object.'
}

/** An object schema without `properties` is how tools say that they take nothing (server/tools, "Tool"). */
function takesUnnamed({ additionalProperties, patternProperties, required }: JsonObject): boolean {
  return (additionalProperties ?? false) !== false || isObject(patternProperties) || Array.isArray(required)
}

/** What a form shows for a value of `schema`; references are looked up in `root` (JSON Schema 2020-12). */
export function fieldOf(schema: JsonObject, root: JsonObject): Field {
  const read = resolved(schema, root)
  if (typeof read === 'string') return { kind: 'json', why: read }
  if (read.const !== undefined) return { kind: 'fixed', value: read.const }
  if (Array.isArray(read.enum)) return choiceOf(read.enum, read.enumNames)
  const variants = variantsOf(read)
  if (variants !== null) {
    const titled = titledOptions(variants, root)
    if (titled !== null) return { kind: 'choice', options: titled }
    if (variants.length > MOST_VARIANTS) return { kind: 'json', why: 'It has too many variants for a form.' }
    return {
      kind: 'variants',
      variants: variants.map((variant, index) => ({ label: variantLabel(variant, root, index), schema: variant })),
    }
  }
  return fieldOfType(read, root)
}

function fieldOfType(schema: JsonObject, root: JsonObject): Field {
  switch (typeOf(schema)) {
    case 'string':
      return {
        kind: 'text',
        format: typeof schema.format === 'string' ? schema.format : null,
        long: typeof schema.maxLength === 'number' && schema.maxLength > LONG_TEXT,
      }
    case 'integer':
      return { kind: 'number', integer: true }
    case 'number':
      return { kind: 'number', integer: false }
    case 'boolean':
      return { kind: 'boolean' }
    case 'null':
      return { kind: 'fixed', value: null }
    case 'array':
      return listOf(schema, root)
    case 'object':
      return objectOf(schema)
    default:
      return { kind: 'json', why: 'Its schema gives no type.' }
  }
}

function objectOf(schema: JsonObject): Field {
  const properties = isObject(schema.properties) ? schema.properties : {}
  const required: readonly JsonValue[] = Array.isArray(schema.required) ? schema.required : []
  const names = Object.keys(properties)
  if (names.length > MOST_MEMBERS) return { kind: 'json', why: `It has ${names.length} members, too many for a form.` }
  const members = names.map((name) => {
    const member = properties[name]
    return { name, schema: isObject(member) ? member : {}, required: required.includes(name) }
  })
  return { kind: 'object', members }
}

function listOf(schema: JsonObject, root: JsonObject): Field {
  if (Array.isArray(schema.prefixItems) || !isObject(schema.items))
    return { kind: 'json', why: 'Its schema does not describe the items one by one.' }
  const items = fieldOf(schema.items, root)
  if (items.kind === 'choice' && items.options.length <= 40 && schema.uniqueItems !== false)
    return { kind: 'several', options: items.options }
  return { kind: 'list', items: schema.items }
}

function choiceOf(values: JsonValue[], names: JsonValue | undefined): Field {
  if (values.length > MOST_OPTIONS)
    return { kind: 'json', why: `It has ${values.length} choices, too many for a form.` }
  const labels = Array.isArray(names) ? names : []
  const options = values.map((value, index) => {
    const label = labels[index]
    return { value, label: typeof label === 'string' ? label : labelOf(value) }
  })
  return { kind: 'choice', options }
}

/** `oneOf` of constants is a choice with titles (client/elicitation, "Requested Schema"). */
function titledOptions(variants: readonly JsonObject[], root: JsonObject): Option[] | null {
  if (variants.length > MOST_OPTIONS) return null
  const options: Option[] = []
  for (const variant of variants) {
    const read = resolved(variant, root)
    if (typeof read === 'string' || read.const === undefined) return null
    options.push({ value: read.const, label: typeof read.title === 'string' ? read.title : labelOf(read.const) })
  }
  return options
}

function variantsOf(schema: JsonObject): JsonObject[] | null {
  const { oneOf, anyOf, type } = schema
  const given = Array.isArray(oneOf) ? oneOf : Array.isArray(anyOf) ? anyOf : null
  if (given !== null) {
    const { oneOf: _one, anyOf: _any, title: _title, description: _description, ...rest } = schema
    return given.map((variant) => (isObject(variant) ? merged(rest, variant) : rest))
  }
  if (!Array.isArray(type) || type.length < 2) return null
  return type.map((one) => ({ ...schema, type: one, title: String(one) }))
}

function variantLabel(variant: JsonObject, root: JsonObject, index: number): string {
  const read = resolved(variant, root)
  if (typeof read === 'string') return `variant ${index + 1}`
  if (typeof read.title === 'string') return read.title
  return typeOf(read) ?? `variant ${index + 1}`
}

/** The schema that references lead to, with `allOf` put together; why there is none, in words. */
export function resolved(schema: JsonObject, root: JsonObject): JsonObject | string {
  let read = schema
  for (let hops = 0; typeof read.$ref === 'string'; hops++) {
    if (hops === MOST_REFERENCES) return 'Its schema refers to itself without an end.'
    const target = pointed(read.$ref, root)
    if (target === null) return `Its schema refers to "${read.$ref.slice(0, 80)}", which is not in it.`
    const { $ref: _reference, ...beside } = read
    read = { ...target, ...beside }
  }
  if (!Array.isArray(read.allOf) || read.allOf.length > MOST_VARIANTS) return read
  const { allOf, ...rest } = read
  return allOf.filter(isObject).reduce((whole, part) => {
    const target = typeof part.$ref === 'string' ? pointed(part.$ref, root) : part
    return target === null ? whole : merged(whole, target)
  }, rest)
}

function merged(one: JsonObject, other: JsonObject): JsonObject {
  const both: JsonObject = { ...one, ...other }
  if (isObject(one.properties) && isObject(other.properties))
    both.properties = { ...one.properties, ...other.properties }
  if (Array.isArray(one.required) && Array.isArray(other.required)) both.required = [...one.required, ...other.required]
  return both
}

function pointed(reference: string, root: JsonObject): JsonObject | null {
  if (reference !== '#' && !reference.startsWith('#/')) return null
  let at: JsonValue | undefined = root
  for (const step of reference.split('/').slice(1)) {
    const key = decoded(step).replaceAll('~1', '/').replaceAll('~0', '~')
    if (Array.isArray(at)) at = at[Number(key)]
    else at = isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined
  }
  return isObject(at) ? at : null
}

function decoded(step: string): string {
  try {
    return decodeURIComponent(step)
  } catch {
    // No percent encoding after all.
    return step
  }
}

function typeOf(schema: JsonObject): string | null {
  const { type } = schema
  if (typeof type === 'string') return type
  if (Array.isArray(type) && typeof type[0] === 'string') return type[0]
  if (isObject(schema.properties)) return 'object'
  if (schema.items !== undefined) return 'array'
  return null
}

export function labelOf(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

const MOST_STARTING = 200

/** What a form begins with: defaults, what is fixed, and the objects that are required. Undefined when nothing is known. */
export function startingValue(schema: JsonObject, root: JsonObject): JsonValue | undefined {
  let left = MOST_STARTING
  function start(part: JsonObject, depth: number): JsonValue | undefined {
    if (left-- <= 0 || depth > MOST_DEPTH) return undefined
    const read = resolved(part, root)
    if (typeof read === 'string') return undefined
    if (read.default !== undefined) return read.default
    const field = fieldOf(part, root)
    if (field.kind === 'fixed') return field.value
    if (field.kind === 'list') return Number(read.minItems) > 0 ? [start(field.items, depth + 1) ?? null] : undefined
    if (field.kind !== 'object') return undefined
    const value: JsonObject = {}
    for (const { name, schema: member, required } of field.members) {
      const own = resolved(member, root)
      const known = typeof own !== 'string' && own.default !== undefined
      const begun = required || known ? start(member, depth + 1) : undefined
      if (begun !== undefined) value[name] = begun
    }
    return value
  }
  return start(schema, 0)
}

/** What stands in the place of a member or item that is added by hand. Of variants that is the first one's. */
export function addedValue(schema: JsonObject, root: JsonObject, depth = 0): JsonValue {
  const begun = startingValue(schema, root)
  if (begun !== undefined) return begun
  const field = fieldOf(schema, root)
  switch (field.kind) {
    case 'text':
      return ''
    case 'number':
      return 0
    case 'boolean':
      return false
    case 'list':
    case 'several':
      return []
    case 'object':
      return {}
    case 'variants': {
      const [first] = field.variants
      return first === undefined || depth > MOST_DEPTH ? null : addedValue(first.schema, root, depth + 1)
    }
    case 'fixed':
    case 'choice':
    case 'json':
      return null
  }
}

/** Which of the variants a value looks like; -1 when it looks like none. */
export function variantOf(
  value: JsonValue | undefined,
  variants: readonly { schema: JsonObject }[],
  root: JsonObject,
): number {
  if (value === undefined) return -1
  return variants.findIndex(({ schema }) => looksLike(value, schema, root))
}

function looksLike(value: JsonValue, schema: JsonObject, root: JsonObject): boolean {
  const field = fieldOf(schema, root)
  switch (field.kind) {
    case 'fixed':
      return JSON.stringify(value) === JSON.stringify(field.value)
    case 'choice':
      return field.options.some((option) => JSON.stringify(option.value) === JSON.stringify(value))
    case 'text':
      return typeof value === 'string'
    case 'number':
      return typeof value === 'number'
    case 'boolean':
      return typeof value === 'boolean'
    case 'list':
    case 'several':
      return Array.isArray(value)
    case 'object':
      return isObject(value) && field.members.every((member) => fits(value, member, root))
    case 'variants':
    case 'json':
      return true
  }
}

/** Constants tell variants of objects apart. */
function fits(value: JsonObject, { name, schema, required }: Member, root: JsonObject): boolean {
  const member = value[name]
  if (member === undefined) return !required || fieldOf(schema, root).kind !== 'fixed'
  const field = fieldOf(schema, root)
  return field.kind !== 'fixed' || JSON.stringify(member) === JSON.stringify(field.value)
}
