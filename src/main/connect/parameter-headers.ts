import { encodeHeaderValue } from '../../shared/protocol/header-value'
import { isObject, type JsonObject, type JsonValue } from '../../shared/protocol/json-rpc'

interface Annotation {
  path: readonly string[]
  header: string
}

const MOST_TOOLS = 10_000
const MOST_DEPTH = 16
/** RFC 9110, 5.6.2. */
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/

/**
 * Which arguments of which tools travel in `Mcp-Param-*` fields too, learned from the tool lists that pass
 * (transports/streamable-http, "Custom headers"). A tool that was in no list gets no fields.
 */
export class ParameterHeaders {
  readonly #tools = new Map<string, Annotation[]>()

  /** `firstPage`: what earlier lists said counts no more. */
  learn(result: JsonObject, firstPage: boolean): void {
    if (!Array.isArray(result.tools)) return
    if (firstPage) this.#tools.clear()
    for (const tool of result.tools) {
      if (!isObject(tool) || typeof tool.name !== 'string') continue
      const annotations = annotationsOf(tool.inputSchema)
      if (annotations.length > 0 && this.#tools.size < MOST_TOOLS) this.#tools.set(tool.name, annotations)
      else this.#tools.delete(tool.name)
    }
  }

  headersFor(params: JsonObject): [name: string, value: string][] {
    const headers: [string, string][] = []
    const annotations = typeof params.name === 'string' ? this.#tools.get(params.name) : undefined
    for (const { path, header } of annotations ?? []) {
      let value: JsonValue | undefined = params.arguments
      for (const key of path) value = isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
      const mirrored = typeof value === 'string' || typeof value === 'boolean' || Number.isSafeInteger(value)
      if (mirrored) headers.push([`Mcp-Param-${header}`, encodeHeaderValue(String(value))])
    }
    return headers
  }
}

/** Annotations of properties that "properties" alone leads to; a tool with others is in no list of the gateway. */
function annotationsOf(inputSchema: JsonValue | undefined): Annotation[] {
  const found: Annotation[] = []
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
