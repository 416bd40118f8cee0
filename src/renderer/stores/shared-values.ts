import type { CallSummary } from '../../shared/capture/summary'

/** More different ones than this are hostile, or no names: they are begun anew. */
const MOST = 10_000

/**
 * Calls repeat the same few names, and each summary that crosses from main brings its own copies of them. One for all takes
 * half the memory of a table of 100 000 calls, and a filter that goes over it finds them in the processor's cache.
 */
export class SharedValues {
  readonly #texts = new Map<string, string>()
  readonly #lists = new Map<string, string[]>()
  readonly #answers = new Map<string, CallSummary['answer']>()

  /** Puts the values of those before it in the place of equal ones. */
  share(summary: CallSummary): void {
    summary.endpoint = this.#text(summary.endpoint)
    summary.era = this.#text(summary.era)
    summary.backendEra = this.#text(summary.backendEra)
    summary.method = this.#text(summary.method)
    summary.target = this.#text(summary.target)
    summary.upstreamTarget = this.#text(summary.upstreamTarget)
    summary.backend = this.#text(summary.backend)
    summary.client = this.#text(summary.client)
    summary.outcome = this.#text(summary.outcome)
    summary.endedBy = this.#text(summary.endedBy)
    summary.httpMethod = this.#text(summary.httpMethod)
    const { backends, answer } = summary
    if (backends.length < 2) summary.backends = known(this.#lists, backends[0] ?? '', backends)
    if (answer !== null)
      summary.answer = known(this.#answers, `${answer.form} ${answer.status} ${answer.cause}`, answer)
  }

  #text<T extends string | null>(text: T): T {
    return text === null ? text : (known(this.#texts, text, text) as T)
  }
}

function known<T>(values: Map<string, T>, key: string, value: T): T {
  const before = values.get(key)
  if (before !== undefined) return before
  if (values.size >= MOST) values.clear()
  values.set(key, value)
  return value
}
