import type { HeaderList, UpstreamEnded } from '../../shared/capture/events'
import { HttpResponse } from '../backends/http-response'
import { streamFields } from '../backends/sse-splitter'
import { HttpClient } from '../http1/client'
import type { LineOutput } from './line-output'

/** Hears of one answer of the gateway, in order, and at last of its end. */
export interface Answer {
  head?(status: number, headers: HeaderList): void
  data(text: string): void
  /** Fields of an event, before its data. */
  fields?(fields: { id?: string; retryMs?: number }): void
  end(ending: Ending): void
}

/** `complete` says only that the HTTP exchange is whole. `words` say what failed, and what to do. */
export type Ending =
  | { reason: 'complete'; status: number }
  | { reason: Exclude<UpstreamEnded['reason'], 'complete'>; status: number; words: string }

export interface LinkOptions {
  url: URL
  /** Of the gateway that started this process, if one did (RFC 9110 7.6.3). It follows what `send` is given as `via`. */
  via?: string
  version: string
  /** Whoever answers is not read from while the client does not take what is written. */
  output: LineOutput
  /**
   * Called when nothing answers a POST, or when a gateway stops: makes one answer if that is possible. What was refused
   * was not carried out, so it is sent once more.
   */
  recover?: (url: URL) => Promise<Recovery>
}

/** Where a gateway answers now, or why none does: words that follow "none could be started: ". */
export type Recovery = { url: URL } | { problem: string }

export type Method = 'GET' | 'POST' | 'DELETE'

/** More than a gateway carries for one message unless it is told to. */
const MOST_BYTES = 1_073_741_824
const CONNECT_TIMEOUT_MS = 5_000
/** What a gateway answers that stops; nothing was begun. */
const STOPPING = 503

/** Requests to one running gateway: raw text both ways, no time-out on silent tools. */
export class GatewayLink {
  #url: URL
  #client: HttpClient
  #recovering: Promise<Recovery> | undefined
  readonly #options: LinkOptions

  constructor(options: LinkOptions) {
    this.#options = options
    this.#url = options.url
    this.#client = clientFor(options.url)
  }

  get url(): string {
    return this.#url.href
  }

  /** Returns what cancels it; `answer.end` then hears of `cancelled`. */
  send(method: Method, headers: HeaderList, body: string | undefined, answer: Answer): () => void {
    const { recover } = this.#options
    const client = this.#client
    let cancelled = false
    let cancel = this.#attempt(method, headers, body, answer, (ending) => {
      if (cancelled || method !== 'POST' || recover === undefined) {
        answer.end(ending)
        return
      }
      // Another request's refusal may have made one already.
      const found = client === this.#client ? this.#recover(recover) : Promise.resolve<Recovery>({ url: this.#url })
      void found.then((recovery) => {
        if (cancelled) answer.end({ reason: 'cancelled', status: 0, words: 'cancelled' })
        else if ('url' in recovery) cancel = this.#attempt(method, headers, body, answer, (again) => answer.end(again))
        else {
          const words = `no gateway at ${this.url}, and none could be started: ${recovery.problem}`
          answer.end({ reason: 'refused', status: 0, words })
        }
      })
    })
    return () => {
      cancelled = true
      cancel()
    }
  }

  /** Ends everything that is under way. */
  async close(): Promise<void> {
    await this.#client.destroy()
  }

  /** One request; `refused` hears instead of `answer.end` when it was not taken. */
  #attempt(
    method: Method,
    headers: HeaderList,
    body: string | undefined,
    answer: Answer,
    refused: (ending: Ending) => void,
  ): () => void {
    const { output, version, via } = this.#options
    const url = this.#url
    let status = 0
    const response = new HttpResponse(
      MOST_BYTES,
      {
        head: (code, fields) => {
          status = code
          if (code !== STOPPING) answer.head?.(code, fields)
        },
        piece: (piece) => {
          if (status === STOPPING || piece.form === 'comment') return
          if (piece.form === 'event') answer.fields?.(streamFields(piece.raw))
          if (piece.data !== undefined && piece.data !== '') answer.data(piece.data)
          if (!output.blocked) return
          response.pause()
          output.onDrain(() => response.resume())
        },
        ended: (reason, detail) => {
          const ending = endingOf(url, status, reason, detail)
          if (reason === 'refused' || (status === STOPPING && reason !== 'cancelled')) refused(ending)
          else answer.end(ending)
        },
      },
      () => undefined,
    )
    const fields: HeaderList = [
      ['accept-encoding', 'identity'],
      ['user-agent', `sluice-connect/${version}`],
      ...(body === undefined ? [] : [['content-type', 'application/json'] as [string, string]]),
      ...withVia(headers, via),
    ]
    const path = url.pathname + url.search
    const request = { method, path, headers: fields, ...(body === undefined ? {} : { body }) }
    response.of(this.#client.send(request, response))
    return () => response.cancel()
  }

  /** Several requests that fail at once make one gateway. */
  #recover(recover: (url: URL) => Promise<Recovery>): Promise<Recovery> {
    this.#recovering ??= recover(this.#url)
      .then((recovery) => {
        if ('url' in recovery) this.#use(recovery.url)
        return recovery
      })
      .finally(() => {
        this.#recovering = undefined
      })
    return this.#recovering
  }

  #use(url: URL): void {
    const before = this.#client
    this.#url = url
    this.#client = clientFor(url)
    // Answers that still come on it are read to their end.
    void before.close()
  }
}

function clientFor(url: URL): HttpClient {
  return new HttpClient({ url, connectTimeoutMs: CONNECT_TIMEOUT_MS })
}

/** The chain that a message names, and who started this process after it; without a starter nobody's word counts. */
function withVia(headers: HeaderList, own: string | undefined): HeaderList {
  const named = headers.find(([name]) => name === 'via')?.[1]
  const others = headers.filter(([name]) => name !== 'via')
  return own === undefined ? others : [...others, ['via', named === undefined ? own : `${named}, ${own}`]]
}

function endingOf(url: URL, status: number, reason: UpstreamEnded['reason'], detail: string | undefined): Ending {
  const at = `the gateway at ${url.href}`
  if (status === STOPPING) return { reason: 'refused', status, words: `${at} is stopping; start it with: sluice serve` }
  switch (reason) {
    case 'complete':
      return { reason, status }
    case 'refused':
      return { reason, status, words: `no gateway at ${url.href} (${detail ?? reason}); start it with: sluice serve` }
    case 'lost':
      return { reason, status, words: `${at} closed the connection before the answer was complete` }
    case 'cancelled':
      return { reason, status, words: 'cancelled' }
    default:
      return { reason, status, words: `the answer of ${at} cannot be read: ${detail ?? reason}` }
  }
}
