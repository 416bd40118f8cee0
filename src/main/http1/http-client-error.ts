/** Why a request got no whole answer, where the operating system has no code for it. */
export type HttpFailure =
  /** The server ended the connection before its answer was whole. */
  | 'ended'
  /** What came is no HTTP/1.1 response. */
  | 'protocol'
  /** The request cannot be written as HTTP/1.1. */
  | 'request'
  /** No connection within the time for it. */
  | 'connect-timeout'
  /** The client was closed, or the request was given up. */
  | 'closed'

export class HttpClientError extends Error {
  override name = 'HttpClientError'

  constructor(
    readonly failure: HttpFailure,
    message: string,
  ) {
    super(message)
  }
}
