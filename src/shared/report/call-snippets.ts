import type { HeaderList } from '../capture/events'
import { isObject, type JsonObject } from '../protocol/json-rpc'

/** What a call was: enough to make it again by hand. */
export interface SnippetSource {
  /** The whole address, as `http://127.0.0.1:7420/mcp`. */
  url: string
  /** HTTP method. */
  method: string
  headers: HeaderList
  /** The text of the request; empty when there was none. */
  body: string
}

/** Set by whoever sends, or of this connection only. */
const OWN_HEADERS: ReadonlySet<string> = new Set([
  'accept-encoding',
  'connection',
  'content-length',
  'host',
  'keep-alive',
  'transfer-encoding',
  'user-agent',
])

/** A cURL command for a POSIX shell. Redacted values stay marks, to be filled in. */
export function curlCommand({ url, method, headers, body }: SnippetSource): string {
  // Brackets and braces would be read as patterns of many URLs.
  const parts = [`curl -sN${/[[\]{}]/.test(url) ? 'g' : ''} ${quoted(encodedUrl(url))}`]
  if (method !== 'POST' || body === '') parts.push(`-X ${quoted(method)}`)
  for (const [name, value] of headers) {
    if (!OWN_HEADERS.has(name.toLowerCase())) parts.push(`-H ${quoted(`${name}: ${value}`)}`)
  }
  // `--data-raw` takes a leading `@` as text, not as the name of a file.
  if (body !== '') parts.push(`--data-raw ${quoted(body)}`)
  return parts.join(' \\\n  ')
}

/** What may not stand in a URL as it is, for instance the mark of a redacted value, which cURL refuses. */
function encodedUrl(url: string): string {
  return url.replace(/[^!-~]/gu, (character) =>
    // Half a surrogate pair is no character.
    encodeURIComponent(/\p{Surrogate}/u.test(character) ? '\ufffd' : character),
  )
}

/** Within single quotes a POSIX shell reads nothing but the next single quote. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}

const MODERN = '2026-07-28'
/** Methods of the SDK's client, by the methods of the protocol. */
const CLIENT_METHODS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'tools/call': 'callTool',
    'tools/list': 'listTools',
    'prompts/get': 'getPrompt',
    'prompts/list': 'listPrompts',
    'resources/read': 'readResource',
    'resources/list': 'listResources',
    'resources/templates/list': 'listResourceTemplates',
    'completion/complete': 'complete',
  }),
)

/**
 * A program with the TypeScript SDK that makes the same request; undefined when the SDK has no such request, or the body
 * cannot be read. Literals are JSON, which is TypeScript whatever the text.
 */
export function sdkSnippet({ url, body }: SnippetSource): string | undefined {
  const request = readRequest(body)
  if (request === undefined) return undefined
  const name = CLIENT_METHODS.get(request.method)
  if (name === undefined) return undefined
  const { _meta: meta, ...params } = request.params
  const version = isObject(meta) ? meta['io.modelcontextprotocol/protocolVersion'] : undefined
  const pin =
    typeof version === 'string' && version >= MODERN
      ? `, { versionNegotiation: { mode: { pin: ${literal(version)} } } }`
      : ''
  const argument = Object.keys(params).length === 0 ? '' : literal(params)
  return `import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'

const client = new Client({ name: 'snippet', version: '1.0.0' }${pin})
await client.connect(new StreamableHTTPClientTransport(new URL(${literal(url)})))
console.log(await client.${name}(${argument}))
await client.close()
`
}

function readRequest(body: string): { method: string; params: JsonObject } | undefined {
  let value: unknown
  try {
    value = JSON.parse(body)
  } catch {
    // No request that could be made again by the SDK; the caller shows none.
    return undefined
  }
  if (!isObject(value) || typeof value.method !== 'string') return undefined
  return { method: value.method, params: isObject(value.params) ? value.params : {} }
}

/** JSON allows two line ends within strings that older TypeScript does not. */
function literal(value: unknown): string {
  return JSON.stringify(value, null, 2)
    .replaceAll('\u2028', String.raw`\u2028`)
    .replaceAll('\u2029', String.raw`\u2029`)
}
