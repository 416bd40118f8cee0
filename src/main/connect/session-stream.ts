import type { HeaderList } from '../../shared/capture/events'
import type { Ending, GatewayLink } from './gateway-link'

export interface SessionStreamOptions {
  link: GatewayLink
  /** Of the session, for every attempt. */
  headers: HeaderList
  /** Where to go on; undefined for the stream of messages that belong to no request. */
  lastEventId?: string
  retryMs?: number
  /** Attempts in a row without a message after which it is given up. */
  mostFruitless: number
  data(text: string): void
  /** There is no such stream, or it was given up; nothing more comes. */
  gaveUp(ending: Ending): void
}

const RESUME_MS = 1_000
/** `retry: 0` is allowed, and would be a loop without a pause where a stream ends at once. */
const LEAST_PAUSE_MS = 200
const MOST_PAUSE_MS = 30_000

/**
 * A GET stream of a session, taken up again with `Last-Event-ID` when it breaks (2025-11-25 basic/transports,
 * "Resumability and Redelivery").
 */
export class SessionStream {
  readonly #options: SessionStreamOptions
  #lastEventId: string | undefined
  #retryMs: number
  #fruitless = 0
  #stopped = false
  #timer: NodeJS.Timeout | undefined
  #cancel: () => void = () => undefined

  constructor(options: SessionStreamOptions) {
    this.#options = options
    this.#lastEventId = options.lastEventId
    this.#retryMs = options.retryMs ?? RESUME_MS
    this.#open()
  }

  stop(): void {
    this.#stopped = true
    clearTimeout(this.#timer)
    this.#cancel()
  }

  #open(): void {
    const { link, headers, data } = this.#options
    const own: HeaderList = [['accept', 'text/event-stream']]
    if (this.#lastEventId !== undefined) own.push(['last-event-id', this.#lastEventId])
    let refused = false
    this.#cancel = link.send('GET', [...own, ...headers], undefined, {
      head: (status) => {
        // 405: there is no such stream. Others may pass, but for a session that is gone and a question that is wrong.
        refused = status >= 400 && status < 500 && status !== 409 && status !== 429
      },
      fields: ({ id, retryMs }) => {
        this.#lastEventId = id ?? this.#lastEventId
        this.#retryMs = retryMs ?? this.#retryMs
      },
      data: (text) => {
        if (refused || this.#stopped) return
        this.#fruitless = 0
        data(text)
      },
      end: (ending) => {
        if (this.#stopped) return
        if (refused || this.#fruitless >= this.#options.mostFruitless) this.#options.gaveUp(ending)
        else this.#again()
      },
    })
  }

  #again(): void {
    const pause = Math.min(Math.max(this.#retryMs, LEAST_PAUSE_MS) * 2 ** Math.min(this.#fruitless, 10), MOST_PAUSE_MS)
    this.#fruitless++
    this.#timer = setTimeout(() => this.#open(), pause)
  }
}
