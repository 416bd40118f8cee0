const PROTOCOL_HEADERS = new Set([
  'accept',
  'accept-encoding',
  'connection',
  'content-length',
  'content-type',
  'expect',
  'host',
  'keep-alive',
  'last-event-id',
  'mcp-method',
  'mcp-name',
  'mcp-protocol-version',
  'mcp-session-id',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** Header fields that the protocol or the connection owns: neither configuration nor a client may set them upstream. */
export function isProtocolHeader(name: string): boolean {
  return PROTOCOL_HEADERS.has(name.toLowerCase())
}
