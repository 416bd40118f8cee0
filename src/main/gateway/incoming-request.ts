import { IncomingMessage } from 'node:http'

/** Hears of each part of a body, and of its end: null. */
export type TakeBody = (chunk: Buffer | null) => void

/**
 * A client's request whose body can be had as the parser reads it: a `tools/call` of one packet is then whole before the
 * machinery of a stream has begun to turn, which would cost it more than all checks of its head.
 */
export class IncomingRequest extends IncomingMessage {
  #take: TakeBody | undefined

  /** Called before the body arrives; nothing of it comes through the stream then but its end. */
  takeBody(take: TakeBody): void {
    this.#take = take
  }

  /** How node's HTTP parser hands over what it read. */
  override push(chunk: Buffer | null, encoding?: BufferEncoding): boolean {
    if (this.#take === undefined) return super.push(chunk, encoding)
    this.#take(chunk)
    return chunk === null ? super.push(null) : true
  }
}
