import { ErrorCode } from '../../../shared/protocol/errors'
import { isObject, type JsonObject, type JsonValue } from '../../../shared/protocol/json-rpc'
import type { AnswerDifference } from '../../../shared/replay/match-request'
import type { RecordedExchange, RecordedFrame } from '../../../shared/replay/recorded-exchange'
import type { UpstreamPart, UpstreamRequest } from '../backend'
import { cancelReason, parsed } from '../messages'
import { PartQueue } from '../part-queue'
import { Pace, type Speed } from './pace'
import { retold } from './recorded-frame'

/** What to tell to a request. */
export type Telling =
  | {
      kind: 'recorded'
      recorded: RecordedExchange
      /** In place of the recorded request state. */
      requestState: string
      /** Shown on the backend leg, as a comment. */
      remark?: string
    }
  /** A message that was made here: the members of the response beside its id. */
  | { kind: 'made'; answer: JsonObject; notification?: JsonObject; status?: number; stays?: boolean }
  | { kind: 'gone'; reason: 'refused' | 'lost'; detail: string }

export interface Playback {
  request: UpstreamRequest
  signal: AbortSignal
  speed: Speed
  /** What the capture shows as the address: which recorded exchange is told. */
  url(telling: Telling): string
  tell(): Promise<Telling>
  /** How an answer to a request of a legacy server differs from the recorded one. */
  check(question: RecordedFrame, answer: JsonObject | undefined): AnswerDifference | undefined
  /** With answers that differ: the error that ends the call, or undefined to go on as recorded. */
  refusal(difference: AnswerDifference, call: number): JsonObject | undefined
  /** The exchange is over. */
  done(): void
}

/** Tells a recorded exchange again, frame by frame. */
export function play(playback: Playback): PartQueue {
  return new Player(playback).queue
}

class Player {
  readonly queue: PartQueue
  readonly #playback: Playback
  readonly #abort = new AbortController()
  #paused: { resumed: Promise<void>; resume: () => void } | undefined

  constructor(playback: Playback) {
    this.#playback = playback
    this.queue = new PartQueue({
      pause: () => this.#pause(),
      resume: () => this.#paused?.resume(),
      abandon: () => this.#abort.abort('the caller no longer waits for it'),
    })
    const { signal } = playback
    const forward = (): void => this.#abort.abort(signal.reason)
    if (signal.aborted) forward()
    else signal.addEventListener('abort', forward, { once: true })
    void this.#run().finally(() => {
      signal.removeEventListener('abort', forward)
      playback.done()
    })
  }

  async #run(): Promise<void> {
    const { signal } = this.#abort
    try {
      if (!signal.aborted) await this.#tell(await this.#playback.tell())
    } catch (error) {
      this.queue.end(
        'lost',
        `the recording could not be read: ${error instanceof Error ? error.message : String(error)}`,
      )
    }
    if (signal.aborted) this.queue.end('cancelled', cancelReason(signal))
    this.#paused?.resume()
  }

  async #tell(telling: Telling): Promise<void> {
    if (telling.kind === 'gone') return this.queue.end(telling.reason, telling.detail)
    this.queue.push({ kind: 'sent', method: 'replay', url: this.#playback.url(telling), headers: [] })
    if (telling.kind === 'made') await this.#made(telling)
    else await this.#recorded(telling)
  }

  async #made({ answer, notification, status, stays }: Telling & { kind: 'made' }): Promise<void> {
    const { id } = this.#playback.request
    const text = JSON.stringify({ jsonrpc: '2.0', id, ...answer })
    if (notification !== undefined) {
      const data = JSON.stringify({ jsonrpc: '2.0', ...notification })
      this.queue.push({ kind: 'head', status: 200, headers: [['content-type', 'text/event-stream']] })
      this.queue.push({ kind: 'frame', form: 'event', raw: `data: ${data}`, data })
      if (stays === true) await aborted(this.#abort.signal)
    } else if (status !== undefined) {
      this.queue.push({ kind: 'head', status, headers: [['content-type', 'application/json']] })
      this.queue.push({ kind: 'frame', form: 'body', raw: text, data: text })
    } else this.queue.push({ kind: 'frame', form: 'line', raw: text, data: text })
    if (!this.#abort.signal.aborted) this.queue.end('complete')
  }

  async #recorded({ recorded, requestState, remark }: Telling & { kind: 'recorded' }): Promise<void> {
    const { request, speed } = this.#playback
    const { signal } = this.#abort
    const pace = new Pace(speed)
    const progressToken = progressTokenOf(request.body)
    const retelling = { id: request.id, progressToken, requestState }
    if (remark !== undefined) this.queue.push({ kind: 'frame', form: 'comment', raw: `: ${remark}` })
    const { head, frames, ended } = recorded
    if (head !== null) {
      await pace.until(head.offset, signal)
      if (signal.aborted) return
      this.queue.push({ kind: 'head', status: head.status, headers: head.headers })
    }
    for (const frame of frames) {
      await pace.until(frame.offset, signal)
      await this.#paused?.resumed
      if (signal.aborted) return
      const part = retold(frame, recorded, retelling)
      const refused =
        frame.message?.kind === 'request' ? await this.#ask(part, frame, pace, recorded.call) : this.queue.push(part)
      if (refused !== undefined) return this.#refuse(refused)
    }
    const answered = recorded.answer !== null
    // Nothing came until the client gave up: so it is now.
    if (!answered && ended?.reason === 'cancelled') await aborted(signal)
    else if (ended !== null) await pace.until(ended.offset, signal)
    if (signal.aborted) return
    if (!answered && ended === null) this.queue.end('lost', 'the recording ends before the answer')
    else if (ended === null || ended.reason === 'cancelled') this.queue.end('complete')
    else this.queue.end(ended.reason, ended.detail ?? undefined)
  }

  /** A request of a legacy server; what follows waits for its answer. Resolves with the error that ends the call, if one does. */
  async #ask(
    part: UpstreamPart & { kind: 'frame' },
    frame: RecordedFrame,
    pace: Pace,
    call: number,
  ): Promise<JsonObject | undefined> {
    const { signal } = this.#abort
    const answer = await new Promise<string | undefined>((resolve) => {
      signal.addEventListener('abort', () => resolve(undefined), { once: true })
      this.queue.push({ ...part, respond: resolve })
    })
    if (answer === undefined) return undefined
    if (frame.answeredAt !== undefined) pace.set(frame.answeredAt)
    const difference = this.#playback.check(frame, parsed(answer))
    return difference === undefined ? undefined : this.#playback.refusal(difference, call)
  }

  #refuse(error: JsonObject): void {
    const text = JSON.stringify({ jsonrpc: '2.0', id: this.#playback.request.id, error })
    this.queue.push({ kind: 'frame', form: 'line', raw: text, data: text })
    this.queue.end('complete')
  }

  #pause(): void {
    let resume: () => void = () => undefined
    const resumed = new Promise<void>((resolve) => (resume = resolve))
    this.#paused = {
      resumed,
      resume: () => {
        this.#paused = undefined
        resume()
      },
    }
  }
}

/** The error for an answer that is not the recorded one, where answers are strict. */
export function differsError(backend: string, difference: AnswerDifference, call: number): JsonObject {
  const { key, pointer } = difference
  const where = pointer === '' ? '' : ` at ${pointer}`
  return {
    code: ErrorCode.InvalidParams,
    message:
      `Replay: the answer to ${JSON.stringify(key)} is not the one recorded in call ${call}: it differs${where}. ` +
      'Answer as recorded, or set "answers": "any".',
    data: { backend, reason: 'answer-differs', call, difference: { ...difference } },
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}

function progressTokenOf(body: string): JsonValue | undefined {
  const params = parsed(body)?.params
  return isObject(params) && isObject(params._meta) ? params._meta.progressToken : undefined
}
