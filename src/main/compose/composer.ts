import { randomBytes } from 'node:crypto'
import {
  COMPOSE_CLIENT,
  LONGEST_ANSWER,
  type ComposedCall,
  type ComposedRequest,
  type ComposedRound,
  type Completion,
  type CompletionQuestion,
  type EndpointOffer,
  type InputAsk,
  type InputResponses,
} from '../../shared/api/compose'
import type { CallSummary } from '../../shared/capture/summary'
import { isObject, type JsonObject } from '../../shared/protocol/json-rpc'
import type { Era } from '../../shared/protocol/revisions'
import { complete } from './completion'
import { asksOf } from './endpoint-client'
import { EndpointLink } from './endpoint-link'
import { readOffer } from './endpoint-offer'
import { LegacyClient } from './legacy-client'
import { ModernClient } from './modern-client'
import type { EndpointClients } from './plain-request'
import type { Retry } from './request-text'

export interface ComposerOptions {
  /** Origin of the gateway, known once it listens. */
  base: () => string
  version: string
}

/** What cannot be done with a composed call, in words, with what to do. */
export class ComposeProblem extends Error {
  override readonly name = 'ComposeProblem'

  constructor(
    readonly known: boolean,
    message: string,
    readonly hint: string,
  ) {
    super(message)
  }
}

interface Live {
  call: ComposedCall
  cancel: () => void
  requestState: string | undefined
  /** A legacy server waits for these, by key. */
  open: Map<string, (result: JsonObject | null) => void>
}

const MOST_KEPT = 100
const MOST_UNDER_WAY = 32
const MOST_ROUNDS = 1_000

/**
 * Sends what is composed in the desk to the endpoints of this gateway, as a client among others: over HTTP, so that the
 * checks, the capture and the answers are those that everybody gets.
 */
export class Composer {
  readonly #link: EndpointLink
  readonly #modern: ModernClient
  readonly #legacy: LegacyClient
  readonly #live = new Map<string, Live>()
  /** Composed requests whose call is not known yet, by the id of the round. */
  readonly #unrecorded = new Map<string, string>()
  readonly #listeners = new Set<(call: ComposedCall) => void>()
  readonly #run = randomBytes(3).toString('hex')
  #count = 0

  constructor({ base, version }: ComposerOptions) {
    this.#link = new EndpointLink(base, version)
    this.#modern = new ModernClient(this.#link, version)
    this.#legacy = new LegacyClient(this.#link, version)
  }

  offer(endpoint: string, era: Era): Promise<EndpointOffer> {
    return readOffer(endpoint, era, this.#clients())
  }

  /** What an argument of a prompt or a resource template may go on with. */
  complete(question: CompletionQuestion): Promise<Completion> {
    return complete(question, this.#clients())
  }

  /** Throws `ComposeProblem` when too much is under way. */
  send(request: ComposedRequest): ComposedCall {
    const underWay = [...this.#live.values()].filter(({ call }) => call.endedAt === null).length
    if (underWay >= MOST_UNDER_WAY)
      throw new ComposeProblem(true, `${MOST_UNDER_WAY} composed requests are under way`, 'cancel one of them')
    const id = this.#nextId()
    const call: ComposedCall = {
      id,
      request,
      startedAt: Date.now(),
      endedAt: null,
      state: 'sending',
      rounds: [],
      asks: [],
      answer: null,
      problem: null,
    }
    const live: Live = { call, cancel: () => undefined, requestState: undefined, open: new Map() }
    this.#live.set(id, live)
    this.#forgetOldest()
    this.#round(live, undefined)
    return live.call
  }

  /** Throws `ComposeProblem` when nothing is asked, or not everything is answered. */
  answer(id: string, responses: InputResponses | null): ComposedCall {
    const live = this.#known(id)
    const { call } = live
    if (call.state !== 'asking') throw new ComposeProblem(true, 'nothing is asked any more', 'look at the answer')
    if (responses === null) return this.#refuse(live)
    const missing = call.asks.find(({ key }) => !Object.hasOwn(responses, key))
    if (missing !== undefined)
      throw new ComposeProblem(true, `"${missing.key}" has no answer`, 'answer every question, or refuse')
    if (call.request.era === 'legacy') {
      for (const [key, result] of Object.entries(responses)) live.open.get(key)?.(result)
      live.open.clear()
      this.#change(live, { state: 'sending', asks: [] })
    } else {
      // A state is sent back when one was given, and exactly as it was (basic/patterns/mrtr).
      const { requestState } = live
      this.#round(live, { inputResponses: responses, ...(requestState === undefined ? {} : { requestState }) })
    }
    return live.call
  }

  cancel(id: string): ComposedCall {
    const live = this.#known(id)
    if (live.call.endedAt !== null) return live.call
    live.cancel()
    this.#end(live, { state: 'cancelled', asks: [] })
    return live.call
  }

  calls(): ComposedCall[] {
    return [...this.#live.values()].map(({ call }) => call).reverse()
  }

  /** The open question. Throws `ComposeProblem` when there is none of that key. */
  ask(id: string, key: string): InputAsk {
    const ask = this.#known(id).call.asks.find((each) => each.key === key)
    if (ask !== undefined) return ask
    throw new ComposeProblem(false, `"${key}" is not asked any more`, 'look at the answer')
  }

  onChange(listener: (call: ComposedCall) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Finds the numbers of composed calls among those that were recorded. */
  recorded(summaries: readonly CallSummary[]): void {
    if (this.#unrecorded.size === 0) return
    for (const { id, client, call } of summaries) {
      if (client !== COMPOSE_CLIENT || typeof id !== 'string') continue
      const live = this.#live.get(this.#unrecorded.get(id) ?? '')
      if (live === undefined) continue
      this.#unrecorded.delete(id)
      this.#changeRound(live, id, { call })
    }
  }

  async close(): Promise<void> {
    for (const { call, cancel } of this.#live.values()) if (call.endedAt === null) cancel()
    this.#listeners.clear()
    await this.#legacy.close()
    await this.#link.close()
  }

  #clients(): EndpointClients {
    return { modern: this.#modern, legacy: this.#legacy, nextId: () => this.#nextId() }
  }

  #nextId(): string {
    return `compose-${this.#run}-${++this.#count}`
  }

  #known(id: string): Live {
    const live = this.#live.get(id)
    if (live !== undefined) return live
    throw new ComposeProblem(false, `there is no composed request ${id}`, 'it is too long ago; send it anew')
  }

  #round(live: Live, retry: Retry | undefined): void {
    const { request, rounds } = live.call
    if (rounds.length >= MOST_ROUNDS)
      throw new ComposeProblem(true, `it has had ${MOST_ROUNDS} rounds`, 'send it anew from the beginning')
    const round: ComposedRound = { id: `${live.call.id}.${rounds.length + 1}`, call: null, status: null }
    this.#unrecorded.set(round.id, live.call.id)
    live.requestState = undefined
    this.#change(live, { state: 'sending', asks: [], rounds: [...rounds, round] })
    const { endpoint, method, params, settings, era } = request
    const client = era === 'modern' ? this.#modern : this.#legacy
    live.cancel = client.send(
      { id: round.id, endpoint, method, params, settings, ...(retry === undefined ? {} : { retry }) },
      {
        status: (status) => this.#changeRound(live, round.id, { status }),
        asked: (ask, answer) => {
          live.open.set(ask.key, answer)
          this.#change(live, { state: 'asking', asks: [...live.call.asks, ask] })
        },
        answered: (text, message) => this.#answered(live, text, message),
        failed: (problem) => this.#end(live, { state: 'failed', asks: [], problem }),
      },
    )
  }

  #answered(live: Live, text: string, { result }: JsonObject): void {
    const answer = { text: text.slice(0, LONGEST_ANSWER), length: text.length }
    if (live.call.request.era === 'legacy' || !isObject(result) || result.resultType !== 'input_required') {
      this.#end(live, { state: 'answered', asks: [], answer })
      return
    }
    live.requestState = typeof result.requestState === 'string' ? result.requestState : undefined
    this.#change(live, { state: 'asking', asks: asksOf(result), answer })
  }

  /** A modern client simply does not go on (client/sampling); a legacy one says so. */
  #refuse(live: Live): ComposedCall {
    if (live.call.request.era === 'modern') {
      this.#end(live, { state: 'cancelled', asks: [] })
      return live.call
    }
    for (const answer of live.open.values()) answer(null)
    live.open.clear()
    this.#change(live, { state: 'sending', asks: [] })
    return live.call
  }

  #end(live: Live, change: Partial<ComposedCall>): void {
    live.open.clear()
    this.#change(live, { ...change, endedAt: Date.now() })
  }

  #changeRound(live: Live, id: string, change: Partial<ComposedRound>): void {
    const rounds = live.call.rounds.map((round) => (round.id === id ? { ...round, ...change } : round))
    this.#change(live, { rounds })
  }

  /** Each state is an object of its own: who holds one may compare. */
  #change(live: Live, change: Partial<ComposedCall>): void {
    live.call = { ...live.call, ...change }
    for (const listener of this.#listeners) listener(live.call)
  }

  #forgetOldest(): void {
    for (const [id, { call }] of this.#live) {
      if (this.#live.size <= MOST_KEPT) return
      if (call.endedAt === null) continue
      this.#live.delete(id)
      for (const { id: round } of call.rounds) this.#unrecorded.delete(round)
    }
  }
}
