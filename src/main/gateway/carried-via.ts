import type { Edit } from '../../shared/capture/events'
import { applyTextEdits, insertMember, memberOf, objectMembers, type TextEdit } from '../../shared/protocol/json-text'
import { VIA_META } from '../../shared/protocol/meta'
import type { Backend } from '../backends/backend'
import type { Call } from './call'

/** The `Via` of a call that came through other gateways, where the backend gets it in the message: stdio has no header fields. */
export function carriedVia({ headers }: Pick<Call, 'headers'>, { type }: Pick<Backend, 'type'>): string | undefined {
  return type === 'stdio' ? headers.via : undefined
}

/** The request with `via` in its `_meta`, after any that stands there already: the last one counts. */
export function withVia(text: string, via: string): { text: string; edits: Edit[] } {
  const now = JSON.stringify(via)
  const change = insertion(text, now)
  if (change === undefined) return { text, edits: [] }
  const at = `/params/_meta/${VIA_META.replace('/', '~1')}`
  return { text: applyTextEdits(text, [change]), edits: [{ what: 'meta', at, now }] }
}

/** Undefined where `params` or `_meta` are no objects, which the backend has to refuse anyway. */
function insertion(text: string, value: string): TextEdit | undefined {
  const params = memberOf(objectMembers(text), 'params')
  const member = `{${JSON.stringify(VIA_META)}:${value}}`
  if (params === undefined) return insertMember(text, 0, 'params', `{"_meta":${member}}`)
  const members = objectMembers(text, params.start)
  if (members === undefined) return undefined
  const meta = memberOf(members, '_meta')
  if (meta === undefined) return insertMember(text, params.start, '_meta', member)
  return objectMembers(text, meta.start) === undefined ? undefined : insertMember(text, meta.start, VIA_META, value)
}
