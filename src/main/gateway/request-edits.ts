import { memberOf, objectMembers, type MemberSpan } from '../../shared/protocol/json-text'
import { EditedText } from './edited-text'

export interface RequestEdits {
  /** Raw JSON of the id under which the backend gets the request. */
  upstreamId: string
  /** The backend's own name or URI and the member of `params` that holds it. */
  target?: { member: string; name: string }
  /** The request state for the backend: a string, or null to take the member out. Absent: left as it is. */
  requestState?: string | null
  /** Of `completion/complete`: the backend's own name of the prompt in `params.ref`. */
  referencedPrompt?: string
  /** Raw JSON of the progress token on a connection that calls share, where the client's could clash. */
  progressToken?: string
  /** Take out what a legacy backend must not see: the reserved members of `_meta`. */
  withoutReservedMeta?: boolean
}

const RESERVED = /^io\.modelcontextprotocol\//

/**
 * The request as the backend gets it: the client's text, byte for byte, but for the named edits. `top`: where the body's
 * members stand, when that is known.
 */
export function editRequest(
  body: string,
  changes: RequestEdits,
  top: readonly MemberSpan[] = objectMembers(body) ?? [],
): EditedText {
  const edited = new EditedText(body)
  for (const member of top) {
    // Every duplicate is edited, so that no reader can be led to another id or name than the gateway saw.
    if (member.key === 'id') edited.replace('id', '/id', member, changes.upstreamId)
    if (member.key !== 'params') continue
    const params = objectMembers(body, member.start) ?? []
    for (const inner of params) {
      if (changes.target !== undefined && inner.key === changes.target.member) {
        const what = inner.key === 'taskId' ? 'taskId' : 'name'
        edited.replace(what, `/params/${inner.key}`, inner, JSON.stringify(changes.target.name))
      }
      if (changes.requestState !== undefined && inner.key === 'requestState') {
        if (changes.requestState === null) edited.remove('requestState', '/params/requestState', params, inner)
        else edited.replace('requestState', '/params/requestState', inner, JSON.stringify(changes.requestState))
      }
      if (inner.key === '_meta') editMeta(edited, body, inner, changes)
      if (changes.referencedPrompt !== undefined && inner.key === 'ref') {
        const name = memberOf(objectMembers(body, inner.start), 'name')
        if (name !== undefined)
          edited.replace('name', '/params/ref/name', name, JSON.stringify(changes.referencedPrompt))
      }
    }
  }
  return edited
}

function editMeta(edited: EditedText, body: string, meta: MemberSpan, changes: RequestEdits): void {
  if (changes.progressToken === undefined && changes.withoutReservedMeta !== true) return
  const members = objectMembers(body, meta.start) ?? []
  const kept = changes.withoutReservedMeta === true ? members.filter((member) => !RESERVED.test(member.key)) : members
  if (kept.length === 0 && members.length > 0) {
    edited.replace('meta', '/params/_meta', meta, '{}')
    return
  }
  if (kept.length < members.length) {
    // One edit from member to member, since single removals beside each other would overlap in their commas.
    const raw = kept.map((member) => {
      const value = member.key === 'progressToken' ? changes.progressToken : undefined
      return body.slice(member.keyStart, member.start) + (value ?? body.slice(member.start, member.end))
    })
    edited.replace('meta', '/params/_meta', meta, `{${raw.join(',')}}`)
    return
  }
  const token = memberOf(members, 'progressToken')
  if (token !== undefined && changes.progressToken !== undefined) {
    edited.replace('progressToken', '/params/_meta/progressToken', token, changes.progressToken)
  }
}
