import { ErrorCode } from '../../../shared/protocol/errors'
import { memberOf, objectMembers } from '../../../shared/protocol/json-text'
import { META } from '../../../shared/protocol/meta'
import { EditedText } from '../edited-text'
import type { Filter } from './filter'

export const ACKNOWLEDGED = 'notifications/subscriptions/acknowledged'
/** Refusals of a subscription that will not be others the next time. */
export const FINAL_ERRORS: ReadonlySet<number> = new Set([
  ErrorCode.MethodNotFound,
  ErrorCode.InvalidParams,
  ErrorCode.InvalidRequest,
  ErrorCode.UnsupportedProtocolVersion,
  ErrorCode.MissingRequiredClientCapability,
])

const SUBSCRIPTION_ID = META.subscriptionId
const AT = `/params/_meta/${SUBSCRIPTION_ID.replace('/', '~1')}`

/** A backend's notification under the subscription of the client: every frame of a subscription carries its id. */
export function retagged(text: string, clientId: string): EditedText {
  const edited = new EditedText(text)
  const key = JSON.stringify(SUBSCRIPTION_ID)
  const params = memberOf(objectMembers(text), 'params')
  const members = params && objectMembers(text, params.start)
  if (params === undefined || members === undefined) {
    const now = `{"_meta":{${key}:${clientId}}}`
    if (params === undefined) edited.insert('subscriptionId', '/params', text.indexOf('{'), 'params', now)
    else edited.replace('subscriptionId', '/params', params, now)
    return edited
  }
  const meta = memberOf(members, '_meta')
  const metaMembers = meta && objectMembers(text, meta.start)
  if (meta === undefined || metaMembers === undefined) {
    const now = `{${key}:${clientId}}`
    if (meta === undefined) edited.insert('subscriptionId', '/params/_meta', params.start, '_meta', now)
    else edited.replace('subscriptionId', '/params/_meta', meta, now)
    return edited
  }
  const id = memberOf(metaMembers, SUBSCRIPTION_ID)
  if (id === undefined) edited.insert('subscriptionId', AT, meta.start, SUBSCRIPTION_ID, clientId)
  else edited.replace('subscriptionId', AT, id, clientId)
  return edited
}

/** The same for a `notifications/tasks`, whose task has another id for the client (SEP-2663). */
export function retaggedTask(text: string, clientId: string, taskId: string): EditedText {
  const edited = retagged(text, clientId)
  const params = memberOf(objectMembers(text), 'params')
  for (const member of (params && objectMembers(text, params.start)) ?? [])
    if (member.key === 'taskId') edited.replace('taskId', '/params/taskId', member, JSON.stringify(taskId))
  return edited
}

/** The client's request for one backend: another id, and only the resources (and tasks) that are to be asked of it. */
export function requestFor(body: string, upstreamId: string, asked: Filter, wanted: Filter): EditedText {
  const edited = new EditedText(body)
  const top = objectMembers(body) ?? []
  for (const member of top) if (member.key === 'id') edited.replace('id', '/id', member, upstreamId)
  const params = memberOf(top, 'params')
  const notifications = params && memberOf(objectMembers(body, params.start), 'notifications')
  const members = (notifications && objectMembers(body, notifications.start)) ?? []
  for (const member of members) {
    if (!Object.hasOwn(asked, member.key) || asked[member.key] === wanted[member.key]) continue
    edited.replace('filter', `/params/notifications/${member.key}`, member, JSON.stringify(wanted[member.key] ?? []))
  }
  return edited
}

export function notificationText(method: string, clientId: string, params: Record<string, unknown> = {}): string {
  const members = Object.entries(params).map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)},`)
  return `{"jsonrpc":"2.0","method":${JSON.stringify(method)},"params":{${members.join('')}"_meta":{${JSON.stringify(SUBSCRIPTION_ID)}:${clientId}}}}`
}

/** The result that closes a subscription gracefully. */
export function closingResult(clientId: string): string {
  return `{"resultType":"complete","_meta":{${JSON.stringify(SUBSCRIPTION_ID)}:${clientId}}}`
}
