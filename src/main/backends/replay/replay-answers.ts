import { ErrorCode } from '../../../shared/protocol/errors'
import { isObject, type JsonObject } from '../../../shared/protocol/json-rpc'
import { META } from '../../../shared/protocol/meta'
import { complete, derivedDiscovery, derivedList, LIST_MEMBERS } from '../../../shared/replay/derived-offer'
import { answerDifference, type AnswerDifference } from '../../../shared/replay/match-request'
import type { PointerPattern } from '../../../shared/replay/pointer'
import { inputResponsesOf, targetOf } from '../../../shared/replay/recorded-exchange'
import type { UpstreamRequest } from '../backend'
import { parsed } from '../messages'
import { readMockState, writeMockState } from './mock-state'
import { differsError, type Telling } from './playback'
import type { Place, Recording } from './recording'

/** Requests of legacy clients that a server only has to take note of. */
const NOTED: ReadonlySet<string> = new Set(['ping', 'logging/setLevel', 'resources/subscribe', 'resources/unsubscribe'])

export interface ReplayAnswersOptions {
  /** Name of this backend in the configuration. */
  backend: string
  /** File name of the capture, for messages. */
  file: string
  recording: Recording
  /** `startedAt` of the capture. */
  startedAt: string
  answers: 'strict' | 'any'
  ignore: readonly PointerPattern[]
  /** What a difference that does not matter is told to. */
  differs(text: string): void
}

/** Decides what a request to a replayed server is answered with. */
export class ReplayAnswers {
  constructor(private readonly options: ReplayAnswersOptions) {}

  get recording(): Recording {
    return this.options.recording
  }

  async answer({ method, body, quiet }: UpstreamRequest): Promise<Telling> {
    const params = parsed(body)?.params
    const given = isObject(params) ? params : {}
    const name = targetOf(method, given)
    if (given.requestState !== undefined) return this.nextRound(method, name, given)
    const place = this.recording.find(method, name, given, quiet !== true)
    if (place !== undefined) return this.recorded(place)
    return this.derived(method, body) ?? this.miss(method, name, given)
  }

  /** The answer to a request of a legacy server against the recorded one. */
  check(question: string, recorded: JsonObject, given: JsonObject): AnswerDifference | undefined {
    return answerDifference({ [question]: recorded }, { [question]: given }, this.options.ignore)
  }

  /** The error for an answer that differs, or undefined where any will do; then it is told of. */
  refusal(difference: AnswerDifference, call: number): JsonObject | undefined {
    const { answers, backend, differs } = this.options
    if (answers === 'strict') return differsError(backend, difference, call)
    differs(remarkOn(difference, call))
    return undefined
  }

  private async recorded(place: Place, remark?: string): Promise<Telling> {
    const recorded = await this.recording.exchange(place)
    const { file, startedAt } = this.options
    if (recorded === undefined)
      return { kind: 'gone', reason: 'lost', detail: `${file} no longer holds call ${place.call}; it has changed` }
    const requestState = writeMockState({ capture: startedAt, call: place.call, exchange: place.exchange })
    return { kind: 'recorded', recorded, requestState, ...(remark !== undefined && { remark }) }
  }

  private async nextRound(method: string, name: string | null, params: JsonObject): Promise<Telling> {
    const { file, startedAt, ignore, backend } = this.options
    const state = readMockState(params.requestState)
    const place = state?.capture === startedAt ? this.recording.at(state.call, state.exchange) : undefined
    if (place === undefined || place.method !== method || place.name !== name)
      return this.error(`its request state is of no round of ${method} in ${file}: begin the call anew`, {
        reason: 'unknown-state',
      })
    const given = inputResponsesOf(params)
    let best: { next: Place; difference: AnswerDifference | undefined } | undefined
    for (const next of place.next) {
      const recorded = await this.recording.exchange(next)
      if (recorded === undefined) continue
      const difference = answerDifference(inputResponsesOf(recorded.params), given, ignore)
      if (best === undefined || difference === undefined) best = { next, difference }
      if (difference === undefined) break
    }
    if (best === undefined)
      return this.error(`the recorded chain ends with call ${place.call}: its questions were never answered`, {
        reason: 'chain-ends',
        call: place.call,
      })
    const { next, difference } = best
    if (difference === undefined) return this.recorded(next)
    if (this.options.answers === 'strict') return this.made({ error: differsError(backend, difference, next.call) })
    const remark = remarkOn(difference, next.call)
    this.options.differs(remark)
    return this.recorded(next, remark)
  }

  /** What the capture lacks and the protocol needs: the least of it. */
  private derived(method: string, body: string): Telling | undefined {
    const { recording, backend } = this.options
    const asked = recording.places()
    if (NOTED.has(method)) return this.made({ result: recording.era === 'modern' ? complete({}) : {} })
    if (method === 'server/discover') {
      const info = recording.server.serverInfo ?? { name: backend, version: 'recorded' }
      return this.made({ result: derivedDiscovery(recording.methods, info, recording.server) })
    }
    if (LIST_MEMBERS[method] !== undefined) {
      const list = derivedList(method, asked, recording.listedNames(method))
      return this.made({ result: recording.era === 'modern' ? complete(list) : list })
    }
    if (method !== 'subscriptions/listen') return undefined
    const id = parsed(body)?.id
    const acknowledged = { _meta: { [META.subscriptionId]: id }, notifications: {} }
    const notification = { method: 'notifications/subscriptions/acknowledged', params: acknowledged }
    return { kind: 'made', answer: {}, notification, stays: true }
  }

  private miss(method: string, name: string | null, params: JsonObject): Telling {
    const { recording, file, backend } = this.options
    const what = name === null ? method : `${method} of ${JSON.stringify(name.slice(0, 200))}`
    const nearest = recording.nearest(method, name, params)
    if (nearest === undefined) {
      const message = `Replay: ${file} has no recorded ${method}.`
      return this.made({ error: { code: ErrorCode.InternalError, message, data: { backend, reason: 'replay-miss' } } })
    }
    const { candidate, difference } = nearest
    const sameName = candidate.name === name
    const where = sameName ? 'with these params' : 'at all'
    const how = !sameName
      ? `of ${JSON.stringify((candidate.name ?? '').slice(0, 200))}`
      : difference === undefined
        ? 'with other params'
        : `which differs at ${difference.path}`
    const message = `Replay: ${file} has no ${what} ${where}; the nearest recorded call is ${candidate.call}, ${how}.`
    const near = {
      call: candidate.call,
      name: candidate.name,
      ...(sameName && difference !== undefined && { ...difference }),
    }
    return this.made({
      error: { code: ErrorCode.InternalError, message, data: { backend, reason: 'replay-miss', nearest: near } },
    })
  }

  private error(what: string, data: JsonObject): Telling {
    const { backend } = this.options
    return this.made({
      error: { code: ErrorCode.InvalidParams, message: `Replay: ${what}.`, data: { backend, ...data } },
    })
  }

  private made(answer: JsonObject): Telling {
    return { kind: 'made', answer, ...(this.recording.era === 'modern' && { status: 200 }) }
  }
}

function remarkOn({ key, pointer, was, now }: AnswerDifference, call: number): string {
  const values = `${short(was)} was recorded, ${short(now)} was given`
  return `replay: the answer to ${JSON.stringify(key)} differs from call ${call} at ${pointer || 'its root'}: ${values}`
}

function short(value: AnswerDifference['was']): string {
  const text = value === undefined ? 'nothing' : JSON.stringify(value)
  return text.length > 200 ? `${text.slice(0, 200)}…` : text
}
