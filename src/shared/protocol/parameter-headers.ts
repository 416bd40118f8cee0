import { encodeHeaderValue } from './header-value'
import { isObject, type JsonValue } from './json-rpc'

/** An argument that travels in a header field too: where it stands in the arguments, and the field's name. */
export interface ParameterAnnotation {
  path: readonly string[]
  /** Without `Mcp-Param-`. */
  header: string
}

const MOST_DEPTH = 16
/** RFC 9110, 5.6.2. */
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/

/**
 * The `x-mcp-header` annotations of a tool's input schema, on properties that "properties" alone leads to
 * (transports/streamable-http, "Schema Extension").
 */
export function parameterAnnotations(inputSchema: JsonValue | undefined): ParameterAnnotation[] {
  const found: ParameterAnnotation[] = []
  const open: { schema: JsonValue | undefined; path: string[] }[] = [{ schema: inputSchema, path: [] }]
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const { schema, path } = place
    if (!isObject(schema)) continue
    const header = schema['x-mcp-header']
    if (path.length > 0 && typeof header === 'string' && TOKEN.test(header)) found.push({ path, header })
    if (path.length === MOST_DEPTH || !isObject(schema.properties)) continue
    for (const [key, value] of Object.entries(schema.properties)) open.push({ schema: value, path: [...path, key] })
  }
  return found
}

/** The `Mcp-Param-*` fields of a call. An argument that is absent, null or of another type has none. */
export function parameterHeaders(
  annotations: readonly ParameterAnnotation[],
  given: JsonValue | undefined,
): [name: string, value: string][] {
  const headers: [string, string][] = []
  for (const { path, header } of annotations) {
    let value = given
    for (const key of path) value = isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
    const mirrored = typeof value === 'string' || typeof value === 'boolean' || Number.isSafeInteger(value)
    if (mirrored) headers.push([`Mcp-Param-${header}`, encodeHeaderValue(String(value))])
  }
  return headers
}
