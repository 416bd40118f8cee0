import { isObject } from '../../../shared/protocol/json-rpc'
import {
  arrayItems,
  memberOf,
  objectMembers,
  applyTextEdits,
  type MemberSpan,
  type TextEdit,
} from '../../../shared/protocol/json-text'
import { EditedText } from '../edited-text'

/** Members of results that legacy revisions do not know. */
const MODERN_ONLY = new Set(['resultType', 'ttlMs', 'cacheScope'])
const RESERVED = /^io\.modelcontextprotocol\//
/** Reserved keys that 2025-11-25 has too. */
const SHARED_KEYS = new Set([
  'io.modelcontextprotocol/related-task',
  'io.modelcontextprotocol/model-immediate-response',
])

/**
 * A modern response as a legacy client takes it: without what legacy revisions do not know, with `structuredContent` and
 * `outputSchema` wrapped where they are no objects (2025-11-25 schema). Everything else stays byte for byte.
 */
export function legacyResponse(text: string, request: { idRaw: string; method: string }): EditedText {
  const edited = new EditedText(text)
  const top = objectMembers(text) ?? []
  const ids = top.filter((member) => member.key === 'id')
  for (const id of ids) edited.replace('id', '/id', id, request.idRaw)
  if (ids.length === 0) edited.insert('id', '/id', text.indexOf('{'), 'id', request.idRaw)
  const result = memberOf(top, 'result')
  if (result === undefined) return edited
  const now = legacyResultText(text.slice(result.start, result.end), request.method)
  edited.replace('era', '/result', result, now)
  return edited
}

/** The same for the text of a `result` alone. */
export function legacyResultText(text: string, method: string): string {
  const members = objectMembers(text)
  if (members === undefined) return text
  const kept = members.filter((member) => !MODERN_ONLY.has(member.key))
  const parts = kept.map((member) => `${text.slice(member.keyStart, member.start)}${valueOf(text, member, method)}`)
  const unchanged =
    kept.length === members.length &&
    kept.every((member, index) => parts[index] === text.slice(member.keyStart, member.end))
  return unchanged ? text : `{${parts.join(',')}}`
}

function valueOf(text: string, member: MemberSpan, method: string): string {
  const raw = text.slice(member.start, member.end)
  if (member.key === '_meta') return withoutReserved(raw)
  if (member.key === 'structuredContent' && !raw.startsWith('{') && raw !== 'null') return `{"result":${raw}}`
  if (member.key === 'tools' && method === 'tools/list') return withObjectSchemas(raw)
  return raw
}

function withoutReserved(raw: string): string {
  const members = objectMembers(raw)
  if (members === undefined) return raw
  const kept = members.filter(({ key }) => !RESERVED.test(key) || SHARED_KEYS.has(key))
  if (kept.length === members.length) return raw
  return `{${kept.map((member) => raw.slice(member.keyStart, member.end)).join(',')}}`
}

function withObjectSchemas(tools: string): string {
  const edits: TextEdit[] = []
  for (const item of arrayItems(tools) ?? []) {
    const schema = memberOf(objectMembers(tools, item.start), 'outputSchema')
    if (schema === undefined) continue
    const raw = tools.slice(schema.start, schema.end)
    const parsed: unknown = JSON.parse(raw)
    if (isObject(parsed) && parsed.type === 'object') continue
    const wrapped = `{"type":"object","properties":{"result":${raw}},"required":["result"]}`
    edits.push({ start: schema.start, end: schema.end, text: wrapped })
  }
  return applyTextEdits(tools, edits)
}
