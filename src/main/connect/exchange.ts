import { ErrorCode } from '../../shared/protocol/errors'
import { isObject, type JsonObject } from '../../shared/protocol/json-rpc'
import { memberOf, objectMembers } from '../../shared/protocol/json-text'
import { kindOf, messagesIn } from '../backends/messages'
import { idKey, rawIdOf } from './client-line'
import type { Ending } from './gateway-link'
import type { LineOutput } from './line-output'

/** What was carried to the gateway in one POST, until each request in it has its answer. */
export class Exchange {
  readonly #expected: Map<string, string>
  readonly #output: LineOutput
  readonly #seen: (message: JsonObject) => void
  #abandoned = false
  /** What came that was no message: the words of a proxy, or of a server that is none. */
  #noise = ''

  /** `seen` hears of each message before it is written. */
  constructor(expected: ReadonlyMap<string, string>, output: LineOutput, seen: (message: JsonObject) => void) {
    this.#expected = new Map(expected)
    this.#output = output
    this.#seen = seen
  }

  /** True once nothing is waited for. */
  get answered(): boolean {
    return this.#abandoned || this.#expected.size === 0
  }

  /** The client cancelled: nothing more is written, since cancelled requests are not answered (basic/patterns/cancellation). */
  abandon(): void {
    this.#abandoned = true
  }

  /** One body, or the data of one event. */
  take(text: string): void {
    if (this.#abandoned || text.trim() === '') return
    const messages = messagesIn(text)
    if (messages === undefined || messages.some(({ message }) => kindOf(message) === undefined)) {
      this.#noise = text.trim().replace(/\s+/g, ' ').slice(0, 300)
      return
    }
    const only = messages.length === 1 ? messages[0] : undefined
    if (only !== undefined && isUnaddressedError(only.message)) {
      const error = memberOf(objectMembers(only.text), 'error')
      this.#failAll(error === undefined ? '{}' : only.text.slice(error.start, error.end))
      return
    }
    for (const { text: raw, message } of messages) {
      const id = kindOf(message) === 'response' ? rawIdOf(raw) : undefined
      if (id !== undefined) this.#expected.delete(idKey(id))
      this.#seen(message)
    }
    this.#output.write(text)
  }

  /** The HTTP exchange is over: whatever has no answer gets an error that says why there is none. */
  close(ending: Ending, url: string): void {
    if (ending.reason !== 'complete') {
      this.fail(ending.words, ending.reason)
      return
    }
    const said = this.#noise === '' ? '' : `: ${this.#noise}`
    this.fail(`the gateway at ${url} ended with HTTP status ${ending.status} and without an answer${said}`, 'protocol')
  }

  /** Answers whatever has no answer with an error in these words. */
  fail(words: string, reason: string): void {
    if (!this.#abandoned)
      this.#failAll(JSON.stringify({ code: ErrorCode.InternalError, message: words, data: { reason } }))
  }

  /** HTTP answers what it could not read without an id; a line needs the id of the request that it answers. */
  #failAll(error: string): void {
    for (const id of this.#expected.values()) this.#output.write(`{"jsonrpc":"2.0","id":${id},"error":${error}}`)
    this.#expected.clear()
  }
}

function isUnaddressedError(message: JsonObject): boolean {
  return message.method === undefined && isObject(message.error) && (message.id === undefined || message.id === null)
}
