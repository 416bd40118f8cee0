import { isObject, type JsonObject, type JsonValue } from '../../shared/protocol/json-rpc'

/** One piece of what a result carries for people (server/tools "Content", server/resources, server/prompts). */
export type ContentBlock =
  | { kind: 'text'; role?: string; text: string; mimeType: string | null; uri: string | null }
  | { kind: 'binary'; role?: string; base64: string; bytes: number; mimeType: string | null; uri: string | null }
  | {
      kind: 'link'
      role?: string
      uri: string
      name: string | null
      description: string | null
      mimeType: string | null
    }
  /** What cannot be read, with the reason. */
  | { kind: 'other'; role?: string; problem: string; value: JsonValue }

/** More are not shown: whoever needs them has the JSON. */
export const MOST_BLOCKS = 200

/** The content of a result: of a tool call, a resource that was read, or a prompt. Undefined when it has none. */
export function contentOf(result: JsonObject): ContentBlock[] | undefined {
  if (Array.isArray(result.content)) return result.content.slice(0, MOST_BLOCKS).map(blockOf)
  if (Array.isArray(result.contents)) return result.contents.slice(0, MOST_BLOCKS).map(resourceOf)
  if (Array.isArray(result.messages)) {
    return result.messages.slice(0, MOST_BLOCKS).flatMap((message): ContentBlock[] => {
      if (!isObject(message)) return [other(message, 'it is no message')]
      const role = typeof message.role === 'string' ? { role: message.role } : {}
      const contents = Array.isArray(message.content) ? message.content : [message.content ?? null]
      return contents.map((content) => ({ ...blockOf(content), ...role }))
    })
  }
  return undefined
}

function blockOf(value: JsonValue): ContentBlock {
  if (!isObject(value)) return other(value, 'it is no content block')
  switch (value.type) {
    case 'text':
      return typeof value.text === 'string'
        ? { kind: 'text', text: value.text, mimeType: null, uri: null }
        : other(value, 'its text is missing')
    case 'image':
    case 'audio':
      return typeof value.data === 'string'
        ? binary(value, value.data, textOf(value.mimeType), null)
        : other(value, 'its data is missing')
    case 'resource':
      return value.resource === undefined ? other(value, 'its resource is missing') : resourceOf(value.resource)
    case 'resource_link':
      return typeof value.uri === 'string'
        ? {
            kind: 'link',
            uri: value.uri,
            name: textOf(value.title) ?? textOf(value.name),
            description: textOf(value.description),
            mimeType: textOf(value.mimeType),
          }
        : other(value, 'its uri is missing')
    default:
      return other(value, `its type is ${JSON.stringify(value.type)?.slice(0, 60) ?? 'missing'}`)
  }
}

function resourceOf(value: JsonValue): ContentBlock {
  if (!isObject(value)) return other(value, 'it is no resource')
  const uri = textOf(value.uri)
  const mimeType = textOf(value.mimeType)
  if (typeof value.text === 'string') return { kind: 'text', text: value.text, mimeType, uri }
  if (typeof value.blob === 'string') return binary(value, value.blob, mimeType, uri)
  return other(value, 'it has neither text nor blob')
}

function binary(value: JsonObject, base64: string, mimeType: string | null, uri: string | null): ContentBlock {
  const bytes = sizeOfBase64(base64)
  return bytes === undefined ? other(value, 'its data is no base64') : { kind: 'binary', base64, bytes, mimeType, uri }
}

/** Bytes that a base64 text stands for (RFC 4648, 4); undefined when it is none. */
export function sizeOfBase64(text: string): number | undefined {
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return undefined
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  return (text.length / 4) * 3 - padding
}

/** The first `most` bytes of a base64 text. */
export function firstBytes(base64: string, most: number): Uint8Array {
  const binary = atob(base64.slice(0, Math.ceil(most / 3) * 4))
  return Uint8Array.from(binary.slice(0, most), (letter) => letter.charCodeAt(0))
}

/** Lines of a hex dump: offset, sixteen bytes, and the same as ASCII. */
export function hexLines(bytes: Uint8Array): string[] {
  const lines: string[] = []
  for (let at = 0; at < bytes.length; at += 16) {
    const row = [...bytes.subarray(at, at + 16)]
    const hex = row.map((byte) => byte.toString(16).padStart(2, '0'))
    const left = hex.slice(0, 8).join(' ').padEnd(23)
    const right = hex.slice(8).join(' ').padEnd(23)
    const ascii = row.map((byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.')).join('')
    lines.push(`${at.toString(16).padStart(8, '0')}  ${left}  ${right}  ${ascii}`)
  }
  return lines
}

/** Types that a browser draws without running anything of them; an SVG is a document and is shown as its source. */
const IMAGES: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/bmp'])
const SOUNDS: ReadonlySet<string> = new Set([
  'audio/mpeg',
  'audio/mp3',
  'audio/wav',
  'audio/x-wav',
  'audio/ogg',
  'audio/webm',
  'audio/mp4',
  'audio/flac',
])
const MOST_DRAWN = 16_777_216

/** How binary content may be shown: drawn, played, or as bytes only. */
export function showableAs({
  mimeType,
  bytes,
}: {
  mimeType: string | null
  bytes: number
}): 'image' | 'audio' | 'bytes' {
  const type = mimeType?.split(';')[0]?.trim().toLowerCase() ?? ''
  if (bytes === 0 || bytes > MOST_DRAWN) return 'bytes'
  if (IMAGES.has(type)) return 'image'
  return SOUNDS.has(type) ? 'audio' : 'bytes'
}

function other(value: JsonValue, problem: string): ContentBlock {
  return { kind: 'other', problem, value }
}

function textOf(value: JsonValue | undefined): string | null {
  return typeof value === 'string' ? value : null
}
