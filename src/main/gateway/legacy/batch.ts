import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'

/**
 * Collects the answers to the messages of one batch (2025-03-26 basic/transports). Each message is served as if it had come
 * alone, on a response that keeps its body; the batch is answered when all have ended.
 */
export class BatchCollector {
  readonly #parts: Collected[] = []

  /** A response for one message of the batch. */
  part(): ServerResponse {
    const collected = new Collected()
    this.#parts.push(collected)
    // Only the few members that a response stream uses are there; the type has many more.
    return collected as unknown as ServerResponse
  }

  /** Writes the array of all responses, or 202 when there is none, once every part has ended. */
  async answer(response: ServerResponse): Promise<void> {
    await Promise.all(this.#parts.map((part) => part.ended))
    const bodies = this.#parts.flatMap((part) => part.responses())
    if (bodies.length === 0) {
      response.writeHead(202, { 'content-length': '0' }).end()
      return
    }
    const text = `[${bodies.join(',')}]`
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }).end(text)
  }
}

class Collected extends EventEmitter {
  readonly writableNeedDrain = false
  #body = ''
  #finish: () => void = () => undefined
  readonly ended = new Promise<void>((resolve) => (this.#finish = resolve))

  writeHead(): this {
    return this
  }

  write(text: string): boolean {
    this.#body += text
    return true
  }

  end(text = ''): this {
    this.#body += text
    this.#finish()
    return this
  }

  /** The JSON texts that are for the client: the body, or the messages of the events. */
  responses(): string[] {
    if (this.#body === '') return []
    if (this.#body.startsWith('{')) return [this.#body]
    return [...this.#body.matchAll(/^data: (.+)$/gm)]
      .map((match) => match[1] ?? '')
      .filter((text) => text.trim() !== '')
  }
}
