import type { HeaderList } from '../../shared/capture/events'
import { HttpResponse } from '../backends/http-response'
import { HttpClient } from '../http1/client'

/** Hears of one HTTP answer of the gateway: at most one head, texts in order, exactly one end. */
export interface AnswerSink {
  head(status: number, headers: HeaderList): void
  /** One body, or the data of one event. */
  text(text: string): void
  /** `problem` is null when the exchange is whole. */
  end(problem: string | null): void
}

/** What a result may have at most; more than a gateway carries unless it is told to. */
const MOST_BYTES = 268_435_456
const CONNECT_TIMEOUT_MS = 5_000

/** HTTP to this gateway's own endpoints, with no time-out on silent tools. */
export class EndpointLink {
  readonly #base: () => string
  readonly #version: string
  #client: HttpClient | undefined

  /** `base`: the origin of the gateway, known once it listens. */
  constructor(base: () => string, version: string) {
    this.#base = base
    this.#version = version
  }

  /** `path` was checked to be one of an endpoint. Returns what closes the exchange. */
  send(
    method: 'POST' | 'DELETE',
    path: string,
    headers: HeaderList,
    body: string | undefined,
    sink: AnswerSink,
  ): () => void {
    const response = new HttpResponse(
      MOST_BYTES,
      {
        head: (status, fields) => sink.head(status, fields),
        piece: (piece) => {
          if (piece.form !== 'comment' && piece.data !== undefined && piece.data !== '') sink.text(piece.data)
        },
        ended: (reason, detail) => {
          if (reason === 'complete') sink.end(null)
          else if (reason === 'cancelled') sink.end('cancelled')
          else sink.end(`on the client leg: ${detail ?? reason}`)
        },
      },
      () => undefined,
    )
    const fields: HeaderList = [
      ['accept-encoding', 'identity'],
      ['user-agent', `sluice-compose/${this.#version}`],
      ...(body === undefined ? [] : [['content-type', 'application/json'] as [string, string]]),
      ...headers,
    ]
    const replaced = withoutReplaced(fields)
    const content = body === undefined ? {} : { body }
    this.#client ??= new HttpClient({ url: new URL(this.#base()), connectTimeoutMs: CONNECT_TIMEOUT_MS })
    response.of(this.#client.send({ method, path, headers: replaced, ...content }, response))
    return () => response.cancel()
  }

  async close(): Promise<void> {
    await this.#client?.destroy()
  }
}

/** Of fields of one name the last counts: what a user gives replaces what Sluice would send. */
function withoutReplaced(fields: HeaderList): HeaderList {
  return [...new Map(fields.map(([name, value]) => [name.toLowerCase(), [name, value] as [string, string]])).values()]
}
