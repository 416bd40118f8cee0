import { isObject, type JsonObject } from '../../shared/protocol/json-rpc'
import {
  parameterAnnotations,
  parameterHeaders,
  type ParameterAnnotation,
} from '../../shared/protocol/parameter-headers'

const MOST_TOOLS = 10_000

/**
 * Which arguments of which tools travel in `Mcp-Param-*` fields too, learned from the tool lists that pass
 * (transports/streamable-http, "Custom headers"). A tool that was in no list gets no fields.
 */
export class ParameterHeaders {
  readonly #tools = new Map<string, ParameterAnnotation[]>()

  /** `firstPage`: what earlier lists said counts no more. */
  learn(result: JsonObject, firstPage: boolean): void {
    if (!Array.isArray(result.tools)) return
    if (firstPage) this.#tools.clear()
    for (const tool of result.tools) {
      if (!isObject(tool) || typeof tool.name !== 'string') continue
      const annotations = parameterAnnotations(tool.inputSchema)
      if (annotations.length > 0 && this.#tools.size < MOST_TOOLS) this.#tools.set(tool.name, annotations)
      else this.#tools.delete(tool.name)
    }
  }

  headersFor(params: JsonObject): [name: string, value: string][] {
    const annotations = typeof params.name === 'string' ? this.#tools.get(params.name) : undefined
    return parameterHeaders(annotations ?? [], params.arguments)
  }
}
