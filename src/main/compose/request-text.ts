import type { InputResponses } from '../../shared/api/compose'
import { isObject, type JsonObject, type JsonValue } from '../../shared/protocol/json-rpc'
import { applyTextEdits, insertMember, memberOf, objectMembers } from '../../shared/protocol/json-text'

/** What a later round carries beside the params of the first (basic/patterns/mrtr). */
export interface Retry {
  inputResponses: InputResponses
  /** Absent when the round before gave none. */
  requestState?: string
}

export interface RequestParts {
  id: string
  method: string
  /** JSON text of an object: stays as it is but for the members that are set here. */
  params: string
  /** Merged under what the params themselves have in `_meta`. */
  meta: JsonObject
  /** Merged over it. */
  ownMeta: JsonObject
  retry?: Retry
}

/** The text of a JSON-RPC request. Numbers, order and white space of the params stay as they were written. */
export function requestText({ id, method, params, meta, ownMeta, retry }: RequestParts): string {
  let text = params.trim()
  if (retry !== undefined) {
    text = withMember(text, 'inputResponses', retry.inputResponses)
    if (retry.requestState !== undefined) text = withMember(text, 'requestState', retry.requestState)
  }
  text = withMeta(text, meta, ownMeta)
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"method":${JSON.stringify(method)},"params":${text}}`
}

/** A `_meta` that is no object is what the user wants to try: it is left alone. */
function withMeta(params: string, meta: JsonObject, ownMeta: JsonObject): string {
  const member = memberOf(objectMembers(params), '_meta')
  const written: unknown = member === undefined ? {} : JSON.parse(params.slice(member.start, member.end))
  if (!isObject(written)) return params
  const merged = { ...meta, ...written, ...ownMeta }
  return Object.keys(merged).length === 0 ? params : withMember(params, '_meta', merged)
}

function withMember(text: string, key: string, value: JsonValue): string {
  const member = memberOf(objectMembers(text), key)
  const edit =
    member === undefined
      ? insertMember(text, 0, key, JSON.stringify(value))
      : { start: member.start, end: member.end, text: JSON.stringify(value) }
  return applyTextEdits(text, [edit])
}
