import { isObject, type JsonObject, type RequestId } from '../../shared/protocol/json-rpc'
import { memberOf, objectMembers, type MemberSpan } from '../../shared/protocol/json-text'
import { EditedText } from './edited-text'

/**
 * Where calls share a connection, progress tokens of different clients could be the same. There the gateway's token is
 * the request's own upstream id, and the client's token is put back on the way to it (basic/patterns/progress: echoed
 * verbatim, type preserved).
 */

/** Where the progress token of a request stands in its text. */
export function progressTokenSpan(body: string): MemberSpan | undefined {
  const params = memberOf(objectMembers(body), 'params')
  const meta = params && memberOf(objectMembers(body, params.start), '_meta')
  return meta && memberOf(objectMembers(body, meta.start), 'progressToken')
}

/** The notification as it reads with the client's token, when it carries the gateway's. */
export function withClientToken(
  notification: JsonObject,
  upstreamId: number,
  token: RequestId | undefined,
): JsonObject {
  const { method, params } = notification
  if (method !== 'notifications/progress' || !isObject(params) || token === undefined) return notification
  const given = params.progressToken
  if (given !== upstreamId && given !== String(upstreamId)) return notification
  return { ...notification, params: { ...params, progressToken: token } }
}

/** The notification's text with the token of `requestBody`, the client's request. */
export function restoreToken(text: string, requestBody: string): EditedText {
  const edited = new EditedText(text)
  const wanted = progressTokenSpan(requestBody)
  const params = memberOf(objectMembers(text), 'params')
  const token = params && memberOf(objectMembers(text, params.start), 'progressToken')
  if (wanted !== undefined && token !== undefined) {
    edited.replace('progressToken', '/params/progressToken', token, requestBody.slice(wanted.start, wanted.end))
  }
  return edited
}
