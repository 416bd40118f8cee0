import type { RequestAnswered } from './events'
import type { Message } from './message'
import type { BodyText, QuestionRecord } from './record'

/** Puts together what was asked in the direction of the client, and what became of it. */
export class QuestionFold {
  readonly questions: QuestionRecord[] = []
  /** By the upstream frame with the request. */
  readonly #byFrame = new Map<number, QuestionRecord>()
  /** By the id, as JSON, under which the client was asked. */
  readonly #byId = new Map<string, QuestionRecord>()

  /** A backend sent a request. */
  backendAsks(seq: number, offset: number, exchange: number, message: Message): void {
    const question = begun(seq, offset, message, exchange)
    this.#byFrame.set(seq, question)
    this.questions.push(question)
  }

  /** A request went to the client; `from` is the upstream frame that it carries on. */
  clientAsked(seq: number, offset: number, message: Message, from: number | undefined): void {
    let question = from === undefined ? undefined : this.#byFrame.get(from)
    if (question === undefined) {
      question = begun(seq, offset, message, null)
      this.questions.push(question)
    }
    question.asked = { seq, offset }
    this.#byId.set(idOf(message), question)
  }

  withheld(from: number, detail: string): void {
    const question = this.#byFrame.get(from)
    if (question !== undefined) question.refused = detail
  }

  /** Returns the question that was answered. */
  answered(event: RequestAnswered, offset: number, message: Message, body: BodyText): QuestionRecord | undefined {
    const { to, seq, by } = event
    const question = to === undefined ? this.#byId.get(idOf(message)) : this.#byFrame.get(to)
    if (question !== undefined) question.answer ??= { seq, offset, by, message, body }
    return question
  }
}

function begun(seq: number, offset: number, message: Message, exchange: number | null): QuestionRecord {
  return {
    seq,
    offset,
    by: exchange === null ? 'gateway' : 'backend',
    exchange,
    method: message.method ?? '',
    params: message.params ?? null,
    asked: null,
    refused: null,
    answer: null,
  }
}

function idOf(message: Message): string {
  return JSON.stringify(message.id ?? null)
}
