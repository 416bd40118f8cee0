import { isObject } from '../../shared/protocol/json-rpc'
import { viaHeaders, type ClientLine } from './client-line'
import { Exchange } from './exchange'
import type { GatewayLink } from './gateway-link'
import type { LineOutput } from './line-output'
import { ParameterHeaders } from './parameter-headers'
import { standardHeaders } from './standard-headers'

interface InFlight {
  exchange: Exchange
  /** A subscription: it has no end of its own that one could wait for. */
  endless: boolean
  cancel: () => void
  ended: Promise<void>
}

/** Carries modern messages: each is one POST with the fields that mirror it (transports/streamable-http). */
export class ModernCarrier {
  readonly #link: GatewayLink
  readonly #output: LineOutput
  readonly #parameters = new ParameterHeaders()
  readonly #inFlight = new Set<InFlight>()
  /** By id, for `notifications/cancelled`. */
  readonly #byKey = new Map<string, InFlight>()

  constructor(link: GatewayLink, output: LineOutput) {
    this.#link = link
    this.#output = output
  }

  carry(line: ClientLine): void {
    const message = line.messages[0]?.message ?? {}
    const params = isObject(message.params) ? message.params : {}
    const lists = message.method === 'tools/list'
    const exchange = new Exchange(line.expected, this.#output, ({ result }) => {
      if (lists && isObject(result)) this.#parameters.learn(result, params.cursor === undefined)
    })
    let ended: () => void = () => undefined
    const inFlight: InFlight = {
      exchange,
      endless: message.method === 'subscriptions/listen',
      cancel: () => undefined,
      ended: new Promise((resolve) => {
        ended = resolve
      }),
    }
    this.#inFlight.add(inFlight)
    for (const key of line.expected.keys()) this.#byKey.set(key, inFlight)
    const headers: [string, string][] = [
      ['accept', 'application/json, text/event-stream'],
      ...viaHeaders(line),
      ...standardHeaders(message),
      ...(message.method === 'tools/call' ? this.#parameters.headersFor(params) : []),
    ]
    inFlight.cancel = this.#link.send('POST', headers, line.text, {
      data: (text) => exchange.take(text),
      end: (ending) => {
        exchange.close(ending, this.#link.url)
        this.#inFlight.delete(inFlight)
        for (const key of line.expected.keys()) if (this.#byKey.get(key) === inFlight) this.#byKey.delete(key)
        ended()
      },
    })
  }

  /** Closing the POST is what cancels over HTTP (basic/patterns/cancellation). False when no request has that id. */
  cancel(key: string): boolean {
    const inFlight = this.#byKey.get(key)
    if (inFlight === undefined) return false
    inFlight.exchange.abandon()
    inFlight.cancel()
    return true
  }

  /** Resolves when every request that has an end has ended. */
  async settled(): Promise<void> {
    const finite = [...this.#inFlight].filter(({ endless }) => !endless)
    await Promise.all(finite.map(({ ended }) => ended))
  }

  close(): void {
    for (const { exchange, cancel } of [...this.#inFlight]) {
      exchange.abandon()
      cancel()
    }
  }
}
