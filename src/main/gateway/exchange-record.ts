import type { BodyReference, UpstreamEnded, UpstreamFrame, UpstreamSent, Unstamped } from '../../shared/capture/events'
import type { Era } from '../../shared/protocol/revisions'
import type { Backend, UpstreamPart } from '../backends/backend'
import type { Tap } from '../capture/tap'

/** The body of an exchange as it is recorded: whole, or as a reference to the client's body. */
export type SentBody = { body: string } | { bodyFrom: BodyReference }

/** Writes the parts of one upstream exchange to the tap; `record` returns the `seq` of the part's event. */
export class ExchangeRecord {
  /** HTTP status of the backend's answer, 0 until its head arrived. */
  status = 0
  readonly #era: Era | null
  #authenticate: string | undefined

  constructor(
    readonly tap: Tap,
    readonly exchange: number,
    readonly call: number,
    readonly backend: Pick<Backend, 'name' | 'state'>,
    readonly sent: SentBody,
  ) {
    // As it is known now: that is the era in which the request was made.
    this.#era = backend.state.era
  }

  /** The backend's `WWW-Authenticate` challenge, if its head carried one. */
  get challenge(): string | undefined {
    return this.#authenticate
  }

  record(part: UpstreamPart): number {
    const { tap, call, exchange, backend } = this
    switch (part.kind) {
      case 'sent': {
        const { method, url, headers, again } = part
        const event: Unstamped<UpstreamSent> = {
          kind: 'upstream.sent',
          call,
          exchange,
          backend: backend.name,
          http: { method, url, headers },
        }
        if (this.#era !== null) event.era = this.#era
        if (again !== undefined) event.again = again
        // A resumed stream is asked for without a body.
        if (again !== 'resume') {
          if ('body' in this.sent) event.body = this.sent.body
          else event.bodyFrom = this.sent.bodyFrom
        }
        return tap.record(event)
      }
      case 'head':
        this.status = part.status
        if (part.status >= 400)
          this.#authenticate = part.headers.find(([name]) => name.toLowerCase() === 'www-authenticate')?.[1]
        return tap.record({ kind: 'upstream.head', call, exchange, status: part.status, headers: part.headers })
      case 'frame': {
        const event: Unstamped<UpstreamFrame> = {
          kind: 'upstream.frame',
          call,
          exchange,
          form: part.form,
          raw: part.raw,
        }
        if (part.bytes !== undefined) event.bytes = part.bytes
        return tap.record(event)
      }
      case 'ended': {
        const event: Unstamped<UpstreamEnded> = { kind: 'upstream.ended', call, exchange, reason: part.reason }
        if (part.detail !== undefined) event.detail = part.detail
        return tap.record(event)
      }
    }
  }
}
