import { isObject, type JsonValue } from './json-rpc'

const ANNOTATION = 'x-mcp-header'
/** RFC 9110, 5.6.2. */
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const TYPES: ReadonlySet<unknown> = new Set(['string', 'integer', 'boolean'])
/** Places of sub-schemas that no chain of `properties` leads to. `true`: an object of sub-schemas by name. */
const ELSEWHERE: readonly [keyword: string, byName: boolean][] = [
  ['items', false],
  ['prefixItems', false],
  ['contains', false],
  ['additionalProperties', false],
  ['unevaluatedProperties', false],
  ['unevaluatedItems', false],
  ['propertyNames', false],
  ['patternProperties', true],
  ['dependentSchemas', true],
  ['oneOf', false],
  ['anyOf', false],
  ['allOf', false],
  ['not', false],
  ['if', false],
  ['then', false],
  ['else', false],
  ['$defs', true],
  ['definitions', true],
]

interface Place {
  schema: JsonValue | undefined
  path: string
  /** Reached from the root through `properties` alone. */
  reachable: boolean
}

/**
 * What is wrong with the `x-mcp-header` annotations of a tool's input schema, in words, or undefined. HTTP clients must
 * drop a tool with an invalid one from the list (transports/streamable-http, "Schema Extension").
 */
export function headerAnnotationFault(inputSchema: JsonValue | undefined): string | undefined {
  const names = new Set<string>()
  // Not recursive: the depth of a schema is the backend's choice.
  const open: Place[] = [{ schema: inputSchema, path: '', reachable: true }]
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const { schema, path, reachable } = place
    if (!isObject(schema)) continue
    if (Object.hasOwn(schema, ANNOTATION)) {
      const fault = faultOf(schema, path, reachable, names)
      if (fault !== undefined) return fault
    }
    if (isObject(schema.properties))
      for (const [key, value] of Object.entries(schema.properties))
        open.push({ schema: value, path: path === '' ? key : `${path}.${key}`, reachable })
    for (const [keyword, byName] of ELSEWHERE) {
      if (!Object.hasOwn(schema, keyword)) continue
      for (const value of branches(schema[keyword], byName))
        open.push({ schema: value, path: `${path}<${keyword}>`, reachable: false })
    }
  }
  return undefined
}

function branches(value: JsonValue | undefined, byName: boolean): (JsonValue | undefined)[] {
  if (Array.isArray(value)) return value
  return byName && isObject(value) ? Object.values(value) : [value]
}

function faultOf(
  schema: { [key: string]: JsonValue | undefined },
  path: string,
  reachable: boolean,
  names: Set<string>,
): string | undefined {
  const at = path === '' ? 'at the root' : `at "${path.slice(0, 100)}"`
  const name = schema[ANNOTATION]
  if (!reachable || path === '') return `${ANNOTATION} ${at} is not on a property that "properties" alone leads to`
  if (typeof name !== 'string' || !TOKEN.test(name)) return `${ANNOTATION} ${at} is no header field name`
  if (!TYPES.has(schema.type)) return `${ANNOTATION} ${at} is on a property that is no string, integer or boolean`
  const lower = name.toLowerCase()
  if (names.has(lower)) return `${ANNOTATION} "${name.slice(0, 100)}" stands on two properties`
  names.add(lower)
  return undefined
}
