import type { HeaderList } from '../../../shared/capture/events'
import { parameterHeaders } from '../../../shared/protocol/parameter-headers'
import type { Call } from '../call'
import type { Ask, Catalog } from '../catalog/contract'
import type { Route } from '../relay'

/**
 * The `Mcp-Param-*` fields of a tool call whose client knows of none: towards a modern HTTP backend the gateway is the
 * client that must send them (transports/streamable-http, "Custom headers").
 */
export class MirroredArguments {
  readonly #call: Call
  readonly #route: Route
  readonly #catalog: Pick<Catalog, 'mirrored' | 'learn'>
  readonly #ask: Ask
  #sent = ''
  #asked = false

  constructor(call: Call, route: Route, catalog: Pick<Catalog, 'mirrored' | 'learn'>, ask: Ask) {
    this.#call = call
    this.#route = route
    this.#catalog = catalog
    this.#ask = ask
  }

  /** The fields by the tool list as it is known, beside those in `given`. */
  headers(given: HeaderList): HeaderList {
    const own = this.#fields()
    this.#sent = JSON.stringify(own)
    const names = new Set(given.map(([name]) => name.toLowerCase()))
    return [...given, ...own.filter(([name]) => !names.has(name.toLowerCase()))]
  }

  /** The backend found the fields wrong: reads its tool list anew, once. True when they are others now. */
  async renew(): Promise<boolean> {
    if (this.#asked || !this.#applies) return false
    this.#asked = true
    await this.#catalog.learn(this.#route.backend, this.#ask, ['tools'])
    return JSON.stringify(this.#fields()) !== this.#sent
  }

  get #applies(): boolean {
    return this.#call.request.method === 'tools/call' && this.#route.backend.type === 'http'
  }

  #fields(): HeaderList {
    const { backend, name } = this.#route
    if (!this.#applies || name === undefined) return []
    return parameterHeaders(this.#catalog.mirrored(backend, name), this.#call.request.params.arguments)
  }
}
