import type { GuideEntries } from './entry'

const HTTP = 'basic/transports/streamable-http'

/** Requests of clients: the message, its header fields, its `_meta`. */
export const REQUEST_RULES = {
  'request-not-json-rpc': {
    title: 'The request is no JSON-RPC message',
    severity: 'error',
    leg: 'client',
    spec: 'basic/index',
    why: 'A POST holds exactly one JSON-RPC 2.0 request or notification as a JSON object in UTF-8. Anything else is refused with HTTP 400 and -32700 or -32600, often with the id null, and the clients of the SDKs cannot match such an answer with what they asked.',
    look: 'Open the Raw tab: a body that was cut, a batch (an array), or a proxy before Sluice that changes bodies is the usual cause. "jsonrpc" must be the string "2.0".',
  },
  'request-id-null': {
    title: 'The request has the id null',
    severity: 'error',
    leg: 'client',
    spec: 'basic/index',
    why: 'Plain JSON-RPC allows null as an id, MCP does not: an id is a string or an integer. The servers of the SDKs refuse the request with HTTP 400 and -32600.',
    look: 'Let the client count its requests, or leave the id out where the message is meant as a notification.',
  },
  'request-meta-missing': {
    title: 'The request does not say its protocol version or the client’s capabilities',
    severity: 'error',
    leg: 'client',
    spec: 'basic/index',
    why: 'There is no initialize any more: every request carries the protocol version and the capabilities of its client in params._meta, and a server may not remember them from earlier requests. Without them the answer is HTTP 400 with -32602, or a server of both eras takes the client for a legacy one.',
    look: 'Set both keys for every request, lists and server/discover included. A client without capabilities sends an empty object, not nothing.',
  },
  'header-missing': {
    title: 'A header field that mirrors the body is missing',
    severity: 'error',
    leg: 'client',
    spec: HTTP,
    why: 'MCP-Protocol-Version and Mcp-Method are on every request, Mcp-Name on those that name a tool, a prompt, a resource or a task, so that proxies can route without reading bodies. Servers refuse the request with HTTP 400 and -32020.',
    look: 'Look at the Headers tab. A proxy or a CORS policy before Sluice may have taken the field out; a client in a browser needs it in Access-Control-Allow-Headers.',
  },
  'header-mismatch': {
    title: 'A header field says something else than the body',
    severity: 'error',
    leg: 'client',
    spec: HTTP,
    why: 'What proxies read in the header fields must be what the server acts on, else the one can be told something that the other does not do. Servers refuse the request with HTTP 400 and -32020; the client of the TypeScript SDK then asks for tools/list and tries once more, so one wrong field costs three requests.',
    look: 'Compare both in the Headers and Request tabs. Values are compared with their case, and values that are not plain ASCII travel as =?base64?…?=.',
  },
  'accept-incomplete': {
    title: 'Accept does not list both media types',
    severity: 'warning',
    leg: 'client',
    spec: HTTP,
    why: 'The server chooses for each request whether it answers as JSON or as an event stream, so the client must accept both by name. The server of the Python SDK answers 406 otherwise, that of the Go SDK 400; that of the TypeScript SDK does not look.',
    look: 'Send Accept: application/json, text/event-stream. A wildcard is understood by some servers only.',
  },
} satisfies GuideEntries
