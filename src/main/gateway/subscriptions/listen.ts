import { randomUUID } from 'node:crypto'
import { ErrorCode } from '../../../shared/protocol/errors'
import { isObject, type JsonObject } from '../../../shared/protocol/json-rpc'
import type { Backend } from '../../backends/backend'
import type { Call } from '../call'
import type { Catalog } from '../catalog/contract'
import { judge } from '../gate'
import { GatewayError } from '../gateway-error'
import { backendDeclaresTasks, clientDeclaresTasks, prefixedTaskId, splitTaskId } from '../tasks'
import { discoverResult } from '../legacy/discover-result'
import { expectedOf, isTexts, LIST_MEMBERS, MEMBER_OF, readFilter, unionOf, type Filter } from './filter'
import { SubscriptionLeg, type LegListener } from './leg'
import { ACKNOWLEDGED, closingResult, notificationText, retagged, retaggedTask } from './message-texts'
import { RENEWAL_PAUSES_MS } from './pauses'

/** What the fan-in needs of the gateway. */
export interface FanInParts {
  /** Configured backends, in order. */
  backends(): readonly { backend: Backend; passHeaders: ReadonlySet<string> }[]
  onBackends(listener: () => void): () => void
  catalog: Pick<Catalog, 'expire' | 'subscribersOf'>
  /** A backend sent a notification: what is kept of a list that it is about is stale. */
  announced(backend: Backend, method: string): void
}

export interface FanInTimes {
  /** How long the acknowledgement waits for the backends'. */
  acknowledgementMs: number
  /** Pauses before a lost stream is opened anew. */
  pausesMs: readonly number[]
}

const TIMES: FanInTimes = { acknowledgementMs: 1_000, pausesMs: RENEWAL_PAUSES_MS }

/**
 * `subscriptions/listen` of the aggregate endpoint: one subscription for the client, fanned in over its backends (basic/
 * patterns/subscriptions). Ends when the client leaves, when every backend has closed its part, or with the gateway.
 */
export async function listenToAll(call: Call, parts: FanInParts, times: FanInTimes = TIMES): Promise<void> {
  const read = readFilter(call.request.params.notifications)
  if (read.fault !== undefined) throw new GatewayError(ErrorCode.InvalidParams, `Invalid params: ${read.fault}.`)
  await new FanIn(call, parts, times, read.filter).run()
}

class FanIn implements LegListener {
  readonly #call: Call
  readonly #parts: FanInParts
  readonly #times: FanInTimes
  readonly #asked: Filter
  readonly #legs = new Map<Backend, SubscriptionLeg>()
  readonly #running = new Set<Promise<void>>()
  /** Backends that have not said yet what they honour, and are waited for. */
  readonly #awaited = new Set<SubscriptionLeg>()
  /** As it was looked at last: only another set of backends is news here. */
  #configured: readonly Backend[]
  #union: Filter | undefined
  #releaseFrames: () => void = () => undefined
  readonly #acknowledged = new Promise<void>((resolve) => (this.#releaseFrames = resolve))

  constructor(call: Call, parts: FanInParts, times: FanInTimes, asked: Filter) {
    this.#call = call
    this.#parts = parts
    this.#times = times
    this.#asked = asked
    this.#configured = parts.backends().map(({ backend }) => backend)
    // A client that leaves before the acknowledgement must not hold back the end of the streams.
    call.signal.addEventListener('abort', () => this.#releaseFrames(), { once: true })
  }

  async run(): Promise<void> {
    const call = this.#call
    call.response.dispatching()
    const members = this.#members()
    call.tap.record({
      kind: 'call.routed',
      call: call.number,
      backend: null,
      backends: members.map(({ backend }) => backend.name),
      operation: randomUUID(),
      round: 1,
      edits: [],
    })
    const timer = setTimeout(() => this.#acknowledge(), this.#times.acknowledgementMs)
    const forget = this.#parts.onBackends(() => this.#backendsChanged())
    try {
      for (const member of members) this.#start(member, true)
      if (members.length === 0) this.#acknowledge()
      while (this.#running.size > 0) await Promise.race(this.#running)
    } finally {
      clearTimeout(timer)
      forget()
      for (const leg of this.#legs.values()) leg.stop()
    }
  }

  acknowledged(leg: SubscriptionLeg, again: boolean): Promise<void> {
    this.#settled(leg)
    if (this.#union !== undefined && again) this.#tellWhatMayHaveChanged(leg)
    return this.#acknowledged
  }

  lost(leg: SubscriptionLeg): void {
    this.#settled(leg)
  }

  async notification(leg: SubscriptionLeg, message: JsonObject, text: string, seq: number): Promise<void> {
    const call = this.#call
    await this.#acknowledged
    if (call.ended) return
    const verdict = judge(message, call.request)
    const member = MEMBER_OF.get(String(message.method))
    if (!verdict.pass) {
      call.withhold(seq, verdict.reason, verdict.detail, message.method)
      return
    }
    this.#parts.announced(leg.backend, String(message.method))
    if (member === undefined || this.#union?.[member] === undefined) {
      const detail = 'the client did not subscribe to it, or no backend acknowledged it'
      call.withhold(seq, 'not-subscribed', detail, message.method)
      return
    }
    const taskId = isObject(message.params) ? message.params.taskId : undefined
    const edited =
      member === 'taskIds' && typeof taskId === 'string'
        ? retaggedTask(text, call.request.idRaw, prefixedTaskId(leg.backend.name, taskId))
        : retagged(text, call.request.idRaw)
    const rawFrom = edited.reference(seq)
    await call.response.notify({
      text: edited.text,
      edits: edited.edits,
      from: seq,
      ...(rawFrom === undefined ? {} : { rawFrom }),
    })
  }

  /** The configured backends and what each is asked. */
  #members(): { backend: Backend; passHeaders: ReadonlySet<string>; wanted: Filter }[] {
    const uris = this.#shares('resourceSubscriptions', (uri) =>
      this.#parts.catalog.subscribersOf(uri).map(({ name }): [string, string] => [name, uri]),
    )
    const tasks = this.#shares('taskIds', (id) => {
      const task = clientDeclaresTasks(this.#call) ? splitTaskId(id) : undefined
      return task === undefined ? [] : [[task.backend, task.taskId]]
    })
    return this.#parts
      .backends()
      .map(({ backend, passHeaders }) => {
        const { resourceSubscriptions: _uris, taskIds: _tasks, ...rest } = this.#asked
        const own = uris.get(backend.name)
        const ids = backendDeclaresTasks(backend) ? tasks.get(backend.name) : undefined
        const wanted = {
          ...rest,
          ...(own === undefined ? {} : { resourceSubscriptions: this.#same('resourceSubscriptions', own) }),
          ...(ids === undefined ? {} : { taskIds: ids }),
        }
        return { backend, passHeaders, wanted }
      })
      .filter(({ wanted }) => Object.keys(wanted).length > 0)
  }

  /** What of a list goes to which backend, and as what. */
  #shares(member: string, of: (text: string) => [backend: string, own: string][]): Map<string, string[]> {
    const shares = new Map<string, string[]>()
    const all = this.#asked[member]
    for (const text of isTexts(all) ? all : [])
      for (const [backend, own] of of(text)) shares.set(backend, [...(shares.get(backend) ?? []), own])
    return shares
  }

  /** The client's own list where it is the same, so that it is sent as it was spelled. */
  #same(member: string, own: string[]): string[] {
    const all = this.#asked[member]
    return isTexts(all) && all.length === own.length ? all : own
  }

  #start(member: { backend: Backend; passHeaders: ReadonlySet<string>; wanted: Filter }, isAwaited: boolean): void {
    const leg = new SubscriptionLeg({ call: this.#call, asked: this.#asked, pausesMs: this.#times.pausesMs, ...member })
    this.#legs.set(member.backend, leg)
    if (isAwaited) this.#awaited.add(leg)
    const running: Promise<void> = leg.run(this).then(() => {
      this.#settled(leg)
      this.#running.delete(running)
      this.#closeWhenAllEnded()
    })
    this.#running.add(running)
  }

  #settled(leg: SubscriptionLeg): void {
    if (this.#awaited.delete(leg) && this.#awaited.size === 0) this.#acknowledge()
  }

  /** The one acknowledgement, the first frame of the subscription. */
  #acknowledge(): void {
    if (this.#union !== undefined || this.#call.ended) return
    this.#awaited.clear()
    const { idRaw } = this.#call.request
    this.#union = unionOf(
      this.#asked,
      [...this.#legs.values()].map((leg) => {
        const own = leg.honoured ?? (leg.ended ? {} : expectedOf(leg.wanted, discoveredOf(leg.backend)))
        return withNamedTasks(own, leg.backend.name)
      }),
    )
    const text = notificationText(ACKNOWLEDGED, idRaw, { notifications: this.#union })
    void this.#call.response.notify({ text, edits: [] })
    this.#call.closing = closingResult(idRaw)
    this.#releaseFrames()
    if (Object.keys(this.#union).length === 0) this.#close()
    else this.#closeWhenAllEnded()
  }

  #closeWhenAllEnded(): void {
    if (this.#union !== undefined && [...this.#legs.values()].every((leg) => leg.ended)) this.#close()
  }

  #close(): void {
    this.#call.succeed(closingResult(this.#call.request.idRaw))
    for (const leg of this.#legs.values()) leg.stop()
  }

  /** A backend taken out of the configuration must be let go; a new one joins. Either way the merged lists are others. */
  #backendsChanged(): void {
    const configured = this.#parts.backends().map(({ backend }) => backend)
    if (this.#call.ended || sameItems(configured, this.#configured)) return
    this.#configured = configured
    const members = this.#members()
    const present = new Set(members.map(({ backend }) => backend))
    const gone = [...this.#legs].filter(([backend]) => !present.has(backend))
    const added = members.filter(({ backend }) => !this.#legs.has(backend))
    for (const [backend, leg] of gone) {
      this.#legs.delete(backend)
      leg.stop()
    }
    for (const member of added) this.#start(member, false)
    for (const member of LIST_MEMBERS) if (this.#union?.[member] !== undefined) this.#say(member)
  }

  /** While a backend was away its changes went unheard: the client is told to look again. */
  #tellWhatMayHaveChanged(leg: SubscriptionLeg): void {
    this.#parts.catalog.expire(leg.backend.name)
    const honoured = unionOf(this.#union ?? {}, [leg.honoured ?? {}])
    for (const member of LIST_MEMBERS) if (honoured[member] !== undefined) this.#say(member)
    const uris = honoured.resourceSubscriptions
    for (const uri of isTexts(uris) ? uris : []) this.#say('resourceSubscriptions', { uri })
  }

  #say(member: string, params: Record<string, unknown> = {}): void {
    const method = [...MEMBER_OF].find(([, needed]) => needed === member)?.[0] ?? ''
    const text = notificationText(method, this.#call.request.idRaw, params)
    void this.#call.response.notify({ text, edits: [] })
  }
}

/** What a backend honours, with the task ids that the client has. */
function withNamedTasks(honoured: Filter, backend: string): Filter {
  const { taskIds } = honoured
  if (!isTexts(taskIds)) return honoured
  return { ...honoured, taskIds: taskIds.map((id) => prefixedTaskId(backend, id)) }
}

function sameItems(one: readonly Backend[], other: readonly Backend[]): boolean {
  return one.length === other.length && one.every((backend, index) => backend === other[index])
}

/** What a backend said of itself, in whatever era. */
function discoveredOf({ state }: Backend): JsonObject | undefined {
  return state.initialized === undefined ? state.discovered : discoverResult(state.initialized)
}
