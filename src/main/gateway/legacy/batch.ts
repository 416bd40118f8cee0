import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'

const SSE_HEAD = { 'content-type': 'text/event-stream', 'cache-control': 'no-cache, no-transform' }

/**
 * The answer to the messages of one batch (2025-03-26 basic/transports). Each message is served as if it had come alone,
 * on a response of its own; here their answers become one: an event stream as soon as one of them streams, else the array
 * of all responses, when the last has ended.
 */
export class BatchCollector {
  readonly #response: ServerResponse
  readonly #parts: BatchPart[] = []
  readonly #bodies: string[] = []
  #streams = false

  constructor(response: ServerResponse) {
    this.#response = response
    for (const event of ['drain', 'close']) response.on(event, () => this.#parts.forEach((part) => part.emit(event)))
  }

  /** A response for one message of the batch. */
  part(): ServerResponse {
    const part = new BatchPart({
      stream: (text) => this.#stream(text),
      body: (text) => {
        if (this.#streams) this.#stream(eventOf(text))
        else this.#bodies.push(text)
      },
      isFull: () => this.#response.writableNeedDrain,
    })
    this.#parts.push(part)
    // Only the few members that a response stream uses are there; the type has many more.
    return part as unknown as ServerResponse
  }

  /** Ends the answer once every part has ended; 202 when there was nothing to say. */
  async finish(): Promise<void> {
    await Promise.all(this.#parts.map((part) => part.ended))
    if (this.#streams) {
      this.#response.end()
      return
    }
    if (this.#bodies.length === 0) {
      this.#response.writeHead(202, { 'content-length': '0' }).end()
      return
    }
    const text = `[${this.#bodies.join(',')}]`
    this.#response
      .writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
      .end(text)
  }

  #stream(text: string): boolean {
    if (!this.#streams) {
      this.#streams = true
      this.#response.writeHead(200, SSE_HEAD)
      for (const body of this.#bodies) this.#response.write(eventOf(body))
    }
    return this.#response.write(text)
  }
}

interface Whole {
  /** Events, as they are to be written; false when the client has to take some first. */
  stream(text: string): boolean
  /** A whole JSON body. */
  body(text: string): void
  /** The client has to take some of what was written first. */
  isFull(): boolean
}

class BatchPart extends EventEmitter {
  writableFinished = false
  readonly destroyed = false
  readonly #whole: Whole
  #finish: () => void = () => undefined
  readonly ended = new Promise<void>((resolve) => (this.#finish = resolve))

  constructor(whole: Whole) {
    super()
    this.#whole = whole
  }

  get writableNeedDrain(): boolean {
    return this.#whole.isFull()
  }

  writeHead(): this {
    return this
  }

  write(text: string): boolean {
    return this.#whole.stream(text)
  }

  end(body = ''): this {
    if (body !== '') this.#whole.body(body)
    this.writableFinished = true
    this.emit('finish')
    this.#finish()
    return this
  }
}

function eventOf(text: string): string {
  return `event: message\ndata: ${text.replace(/\r\n|\r|\n/g, '\ndata: ')}\n\n`
}
