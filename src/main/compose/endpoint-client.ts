import type { ComposeSettings, InputAsk } from '../../shared/api/compose'
import type { HeaderList } from '../../shared/capture/events'
import { isObject, type JsonObject } from '../../shared/protocol/json-rpc'
import { kindOf, parsed } from '../backends/messages'
import type { Retry } from './request-text'

/** One JSON-RPC request to an endpoint. */
export interface OutgoingRequest {
  id: string
  /** Path of the endpoint. */
  endpoint: string
  method: string
  params: string
  settings: ComposeSettings
  retry?: Retry
}

/** Hears of one request, and at last either of its answer or of its failure. */
export interface RequestEvents {
  status(status: number): void
  /** A legacy server asks in the middle of the call; `answer` takes a result, or null to refuse. */
  asked(ask: InputAsk, answer: (result: JsonObject | null) => void): void
  /** A result or an error of JSON-RPC. */
  answered(text: string, message: JsonObject): void
  failed(problem: string): void
}

/** A client of the endpoints in one era. */
export interface EndpointClient {
  /** Returns what cancels it; nothing more is heard then. */
  send(request: OutgoingRequest, events: RequestEvents): () => void
}

export function headersOf(settings: ComposeSettings): HeaderList {
  return settings.headers.map(({ name, value }): [string, string] => [name, value])
}

const LONGEST_NOISE = 300

/** Reads what comes for one request: tells messages of the server from the answer, and noise from both. */
export class AnswerReader {
  #done = false
  #noise = ''
  #status = 0

  constructor(
    private readonly events: Pick<RequestEvents, 'answered' | 'failed'>,
    private readonly request: (message: JsonObject) => void,
  ) {}

  head(status: number): void {
    this.#status = status
  }

  take(text: string): void {
    if (this.#done) return
    const message = parsed(text)
    const kind = message === undefined ? undefined : kindOf(message)
    if (message === undefined || kind === undefined) {
      this.#noise = text.trim().replace(/\s+/g, ' ').slice(0, LONGEST_NOISE)
      return
    }
    if (kind === 'request') this.request(message)
    if (kind !== 'response') return
    this.#done = true
    this.events.answered(text, message)
  }

  end(problem: string | null): void {
    if (this.#done) return
    this.#done = true
    const said = this.#noise === '' ? '' : `: ${this.#noise}`
    this.events.failed(problem ?? `the answer ended with HTTP status ${this.#status} and without a result${said}`)
  }

  /** Nothing more is heard. */
  stop(): void {
    this.#done = true
  }
}

/** The questions of an `input_required` result. */
export function asksOf(result: JsonObject): InputAsk[] {
  if (!isObject(result.inputRequests)) return []
  return Object.entries(result.inputRequests).map(([key, request]) => {
    const asked = isObject(request) ? request : {}
    return {
      key,
      method: typeof asked.method === 'string' ? asked.method : '',
      params: isObject(asked.params) ? asked.params : {},
    }
  })
}
