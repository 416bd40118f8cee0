/** JSON-RPC error codes of revision 2026-07-28 (basic/index, schema `HEADER_MISMATCH` and its neighbours). */
export const ErrorCode = {
  ParseError: -32700,
  InvalidRequest: -32600,
  MethodNotFound: -32601,
  InvalidParams: -32602,
  InternalError: -32603,
  /** Errors of HTTP itself (405, 413, 415, 406, 403): no shared meaning, kept as the SDKs use it. */
  Transport: -32000,
  HeaderMismatch: -32020,
  MissingRequiredClientCapability: -32021,
  UnsupportedProtocolVersion: -32022,
} as const

/**
 * The HTTP status for an error that the gateway raises itself, before the response is committed
 * (transports/streamable-http, "Error responses"). Everything not named by the specification stays in band at 200.
 */
export function statusForErrorCode(code: number): number {
  switch (code) {
    case ErrorCode.MethodNotFound:
      return 404
    case ErrorCode.ParseError:
    case ErrorCode.InvalidRequest:
    case ErrorCode.InvalidParams:
    case ErrorCode.HeaderMismatch:
    case ErrorCode.MissingRequiredClientCapability:
    case ErrorCode.UnsupportedProtocolVersion:
      return 400
    default:
      return 200
  }
}
