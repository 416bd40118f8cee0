import { createStore, type StoreApi } from 'zustand/vanilla'
import type {
  ComposedCall,
  ComposedRequest,
  CompletionQuestion,
  EndpointOffer,
  InputAsk,
  InputResponses,
} from '../../shared/api/compose'
import type { CommandError, DeskConnection } from '../../shared/api/contract'
import { consentNeeded, readOnlyHint } from '../../shared/replay/consent'
import type { Era } from '../../shared/protocol/revisions'
import type { JsonObject } from '../../shared/protocol/json-rpc'
import { CommandFailure, toCommandError } from '../connection/command-failure'
import { chosen, draftOf, requestOf, targetOf, type Draft, type OfferKind } from './draft'
import { draftOfCall } from './draft-of-call'
import { plural } from '../text/format'
import { readObject } from './params-text'
import { rememberCompose, rememberedCompose, type AnswerRule, type RememberedCompose } from './remembered-compose'

export interface OfferState {
  offer: EndpointOffer | null
  loading: boolean
  error: CommandError | null
}

export interface ComposeState extends RememberedCompose {
  /** By era and path, see `offerKey`. */
  offers: ReadonlyMap<string, OfferState>
  /** Newest first. */
  calls: readonly ComposedCall[]
  /** The composed call whose answer is shown. */
  shown: string | null
  /** What a user should know of the draft, in words. */
  notes: readonly string[]
  error: CommandError | null
  /** Somebody wanted to send it: what is missing is told of too. */
  tried: boolean
  /** This draft was held up because the schema does not allow it; the next time it is sent all the same. */
  held: boolean
  /** Somebody came to write: the keyboard goes into the request as soon as it is there. */
  writing: boolean
}

/** Rounds that are answered by rule, after which a person is asked: a server could ask for ever. */
const MOST_BY_RULE = 10
const MOST_SAMPLES = 20
const MOST_CALLS = 100

/** Compose: the draft, what endpoints offer, and what was sent. */
export class Compose {
  readonly store: StoreApi<ComposeState>
  /** Arguments that servers do not complete. */
  readonly #notCompleted = new Set<string>()
  readonly #connection: DeskConnection
  #check: (() => Promise<number>) | null = null
  /** Rounds answered by rule, by composed call. */
  readonly #byRule = new Map<string, number>()

  constructor(connection: DeskConnection, storage: Pick<Storage, 'getItem' | 'setItem'>) {
    this.#connection = connection
    this.store = createStore<ComposeState>(() => ({
      ...rememberedCompose(storage),
      offers: new Map(),
      calls: [],
      shown: null,
      notes: [],
      error: null,
      tried: false,
      held: false,
      writing: false,
    }))
    this.store.subscribe((now, before) => {
      const kept = ['draft', 'editor', 'rules', 'roots', 'samples'] as const
      if (kept.some((key) => now[key] !== before[key])) rememberCompose(storage, now)
    })
    connection.onFeed('composed', (call) => this.#receive(call))
    connection.onConnection((connected) => {
      if (connected) void this.#load()
    })
  }

  edit(change: Partial<Draft>): void {
    this.store.setState(({ draft }) => ({ draft: { ...draft, ...change }, error: null, held: false }))
  }

  /** Takes a request into the editor. */
  open(request: ComposedRequest): void {
    const draft = draftOf(request)
    this.store.setState({ draft, notes: [], error: null, tried: false, held: false, writing: true })
  }

  choose(kind: OfferKind, entry: JsonObject): void {
    this.store.setState(({ draft }) => ({
      draft: { ...draft, ...chosen(kind, entry) },
      notes: [],
      error: null,
      tried: false,
    }))
  }

  /** Reads the lists of an endpoint, once unless `again`. */
  async loadOffer(endpoint: string, era: Era, again = false): Promise<EndpointOffer | null> {
    const key = offerKey(endpoint, era)
    const known = this.store.getState().offers.get(key)
    if (known !== undefined && (known.loading || (known.offer !== null && !again))) return known.offer
    this.#setOffer(key, { offer: known?.offer ?? null, loading: true, error: null })
    try {
      const offer = await this.#connection.command('compose.offer', { endpoint, era })
      this.#setOffer(key, { offer, loading: false, error: null })
      return offer
    } catch (reason) {
      this.#setOffer(key, { offer: known?.offer ?? null, loading: false, error: toCommandError(reason) })
      return null
    }
  }

  /** What an argument may go on with; nothing when the server does not complete it, which is not asked for again then. */
  async complete(question: CompletionQuestion): Promise<readonly string[]> {
    const { endpoint, era, ref, argument } = question
    const key = JSON.stringify([endpoint, era, ref, argument.name])
    if (this.#notCompleted.has(key)) return []
    try {
      const { values, problem } = await this.#connection.command('compose.complete', question)
      if (problem !== null) this.#notCompleted.add(key)
      return values
    } catch (reason) {
      if (!(reason instanceof CommandFailure)) throw reason
      // Suggestions are a help, not what was asked for: without them the field is as it was.
      this.#notCompleted.add(key)
      return []
    }
  }

  /** How many problems the schema has with the draft is told by who shows it; null where there is no schema. */
  setCheck(check: (() => Promise<number>) | null): void {
    this.#check = check
  }

  /**
   * Sends the draft. What is in its way is said in `error`; what the schema does not allow holds it up once, and then it
   * is sent: a wrong request is something to try, too.
   */
  async send(): Promise<void> {
    const { draft, held } = this.store.getState()
    const wrong = held || this.#check === null ? 0 : await this.#check()
    if (wrong > 0) {
      const notes = [
        `The schema does not allow this in ${plural(wrong, 'place')}. Correct it, or send it all the same.`,
      ]
      this.store.setState({ tried: true, held: true, notes })
      return
    }
    this.store.setState({ notes: [], held: false })
    const read = requestOf(draft)
    if ('problem' in read) {
      const error: CommandError = { code: 'invalid-request', message: read.problem, hint: 'Correct it and send again.' }
      this.store.setState({ error })
      return
    }
    await this.resend(read.request)
  }

  /** Sends a request as it is, and shows its answer. */
  async resend(request: ComposedRequest): Promise<void> {
    const call = await this.#run(() => this.#connection.command('compose.send', request))
    if (call !== undefined) this.store.setState({ shown: call.id })
  }

  async answer(id: string, responses: InputResponses | null): Promise<void> {
    await this.#run(() => this.#connection.command('compose.answer', { id, responses }))
  }

  async cancel(id: string): Promise<void> {
    await this.#run(() => this.#connection.command('compose.cancel', { id }))
  }

  /** Takes a call of the live run or of an opened capture into the editor. False when it cannot; `error` says why. */
  async openCall(call: number, source: DeskConnection): Promise<boolean> {
    const taken = await this.#take(call, source)
    if (taken) this.store.setState({ writing: true })
    return taken
  }

  async #take(call: number, source: DeskConnection): Promise<boolean> {
    try {
      const { draft, notes } = await draftOfCall(source, call)
      this.store.setState({ draft, notes, error: null, shown: null, tried: false, held: false })
      return true
    } catch (reason) {
      this.store.setState({ error: toCommandError(reason) })
      return false
    }
  }

  /**
   * Sends a call of the capture again, or takes it into the editor where a person should look first: it may change
   * something, or is not known whole.
   */
  async resendCall(call: number, source: DeskConnection): Promise<void> {
    if (!(await this.#take(call, source))) return
    const { draft, notes } = this.store.getState()
    const reason = notes.length > 0 ? 'not all of it is known' : await this.#reasonToAsk(draft)
    const read = requestOf(draft)
    if (reason === undefined && 'request' in read) await this.resend(read.request)
    else
      this.store.setState({
        notes: [`Not sent yet, because ${reason ?? 'it cannot be read'}. Look at it, then send.`, ...notes],
        writing: true,
      })
  }

  show(id: string | null): void {
    this.store.setState({ shown: id, error: null })
  }

  keepRule(rule: AnswerRule): void {
    this.store.setState(({ rules }) => ({ rules: [...rules.filter((each) => !sameQuestion(each, rule)), rule] }))
  }
  changeRule(rule: AnswerRule, response: JsonObject): void {
    this.store.setState(({ rules }) => ({ rules: rules.map((each) => (each === rule ? { ...rule, response } : each)) }))
  }
  dropRule(rule: AnswerRule): void {
    this.store.setState(({ rules }) => ({ rules: rules.filter((each) => each !== rule) }))
  }
  keepSample(text: string): void {
    this.store.setState(({ samples }) => ({
      samples: [text, ...samples.filter((each) => each !== text)].slice(0, MOST_SAMPLES),
    }))
  }

  async #reasonToAsk({ method, params, endpoint, era }: Draft): Promise<string | undefined> {
    if (method !== 'tools/call') return consentNeeded(method, { recorded: 'not listed', current: 'not listed' })
    const offer = await this.loadOffer(endpoint, era)
    const name = targetOf(method, readObject(params).value)
    const current = readOnlyHint(offer?.tools.find((tool) => tool.name === name))
    return consentNeeded(method, { recorded: 'not listed', current })
  }

  async #load(): Promise<void> {
    await this.#run(async () => {
      const { calls } = await this.#connection.command('compose.calls', {})
      this.store.setState({ calls })
    })
  }

  #receive(call: ComposedCall): void {
    const known = this.store.getState().calls.find(({ id }) => id === call.id)
    this.store.setState(({ calls }) => ({ calls: withCall(calls, call) }))
    if (call.state === 'asking' && !(known !== undefined && sameRound(known, call))) this.#answerByRule(call)
  }

  /** Answers when there is a rule for every question of the round. */
  #answerByRule({ id, request, asks }: ComposedCall): void {
    const given = this.#byRule.get(id) ?? 0
    if (asks.length === 0 || given >= MOST_BY_RULE) return
    const responses: InputResponses = {}
    for (const ask of asks) {
      const rule = this.store.getState().rules.find((each) => sameQuestion(each, questionOf(request, ask)))
      if (rule === undefined) return
      responses[ask.key] = rule.response
    }
    this.#byRule.set(id, given + 1)
    void this.answer(id, responses)
  }

  #setOffer(key: string, state: OfferState): void {
    this.store.setState(({ offers }) => ({ offers: new Map(offers).set(key, state) }))
  }

  async #run<T>(command: () => Promise<T>): Promise<T | undefined> {
    this.store.setState({ error: null })
    try {
      const response = await command()
      if (isComposed(response)) this.#receive(response)
      return response
    } catch (reason) {
      this.store.setState({ error: toCommandError(reason) })
      return undefined
    }
  }
}

function isComposed(response: unknown): response is ComposedCall {
  return typeof response === 'object' && response !== null && 'rounds' in response && 'asks' in response
}

/** Feeds and answers may overtake each other: of two states of one call the later one stays. */
function withCall(calls: readonly ComposedCall[], call: ComposedCall): readonly ComposedCall[] {
  const known = calls.find(({ id }) => id === call.id)
  if (known === undefined) return [call, ...calls].slice(0, MOST_CALLS)
  if (isLater(known, call)) return calls
  return calls.map((each) => (each.id === call.id ? call : each))
}

function isLater(one: ComposedCall, other: ComposedCall): boolean {
  if (one.rounds.length !== other.rounds.length) return one.rounds.length > other.rounds.length
  return one.endedAt !== null && other.endedAt === null
}

/** The feed and the answer to a command tell of one round twice. */
function sameRound(one: ComposedCall, other: ComposedCall): boolean {
  const keys = ({ asks }: ComposedCall) => asks.map(({ key }) => key).join(' ')
  return one.state === other.state && one.rounds.length === other.rounds.length && keys(one) === keys(other)
}

export function offerKey(endpoint: string, era: Era): string {
  return `${era} ${endpoint}`
}

/** The question of a composed call, as rules know it. The key of a legacy question is a number without meaning: its message stands for it. */
export function questionOf(request: ComposedRequest, ask: InputAsk): Omit<AnswerRule, 'response'> {
  const { endpoint, method, params, era } = request
  const message = ask.params.message
  const key = era === 'modern' ? ask.key : typeof message === 'string' ? message : ask.method
  return { endpoint, method, target: targetOf(method, readObject(params).value), key }
}

function sameQuestion(one: Omit<AnswerRule, 'response'>, other: Omit<AnswerRule, 'response'>): boolean {
  return (
    one.endpoint === other.endpoint &&
    one.method === other.method &&
    one.target === other.target &&
    one.key === other.key
  )
}
