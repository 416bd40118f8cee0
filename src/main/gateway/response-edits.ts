import { memberOf, objectMembers, type MemberSpan } from '../../shared/protocol/json-text'
import { META } from '../../shared/protocol/meta'
import { EditedText } from './edited-text'

export interface ResponseEdits {
  /** Raw JSON of the client's id. */
  clientId: string
  /** The sealed state that takes the place of the backend's (or is added where the backend gave none). */
  requestState?: string
  /** The task id that takes the place of the backend's. */
  taskId?: string
  /** The result of a retried read may not be cached (server/utilities/caching). */
  uncacheable?: boolean
  /** Of a listen stream: the subscription id is the listen request's id, hence the client's. */
  subscription?: boolean
}

/** A terminal response as the client gets it. */
export function editResponse(text: string, changes: ResponseEdits): EditedText {
  const edited = new EditedText(text)
  const top = objectMembers(text) ?? []
  let named = false
  for (const member of top) {
    if (member.key !== 'id') continue
    named = true
    edited.replace('id', '/id', member, changes.clientId)
  }
  if (!named) edited.insert('id', '/id', text.indexOf('{'), 'id', changes.clientId)
  if (!changesResult(changes)) return edited
  const result = memberOf(top, 'result')
  const members = result && objectMembers(text, result.start)
  if (result === undefined || members === undefined) return edited
  if (changes.requestState !== undefined) {
    const now = JSON.stringify(changes.requestState)
    // Every duplicate is replaced: no spelling of an answer may carry the inner state to the client.
    const states = members.filter((member) => member.key === 'requestState')
    for (const state of states) edited.replace('requestState', '/result/requestState', state, now)
    if (states.length === 0) edited.insert('requestState', '/result/requestState', result.start, 'requestState', now)
  }
  if (changes.taskId !== undefined) {
    const now = JSON.stringify(changes.taskId)
    for (const id of members.filter((member) => member.key === 'taskId'))
      edited.replace('taskId', '/result/taskId', id, now)
  }
  if (changes.uncacheable === true) {
    const hints = members.filter((member) => member.key === 'ttlMs')
    for (const hint of hints) edited.replace('ttlMs', '/result/ttlMs', hint, '0')
  }
  if (changes.subscription === true) editSubscriptionId(edited, text, members, '/result', changes.clientId)
  return edited
}

/** Whether anything but the id differs: most results need not be looked into. */
function changesResult({ requestState, taskId, uncacheable, subscription }: ResponseEdits): boolean {
  return requestState !== undefined || taskId !== undefined || uncacheable === true || subscription === true
}

/** A notification of a listen stream as the client gets it: only the subscription id differs. */
export function editSubscriptionNotification(text: string, clientId: string): EditedText {
  const edited = new EditedText(text)
  const params = memberOf(objectMembers(text), 'params')
  const members = params && objectMembers(text, params.start)
  if (members !== undefined) editSubscriptionId(edited, text, members, '/params', clientId)
  return edited
}

function editSubscriptionId(
  edited: EditedText,
  text: string,
  members: readonly MemberSpan[],
  at: string,
  clientId: string,
): void {
  const meta = memberOf(members, '_meta')
  const id = meta && memberOf(objectMembers(text, meta.start), META.subscriptionId)
  if (id !== undefined)
    edited.replace('subscriptionId', `${at}/_meta/${META.subscriptionId.replace('/', '~1')}`, id, clientId)
}
