import { isObject, isRequestId, type JsonObject, type JsonValue, type RequestId } from '../../shared/protocol/json-rpc'
import { memberOf, objectMembers, type MemberSpan } from '../../shared/protocol/json-text'
import { EditedText } from './edited-text'

/**
 * Where calls share a connection, progress tokens of different clients could be the same. There the gateway's token is
 * the request's own upstream id, and the client's token is put back on the way to it (basic/patterns/progress: echoed
 * verbatim, type preserved).
 */

/** Where the progress token of a request stands in its text. */
function progressTokenSpan(body: string): MemberSpan | undefined {
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
  const wanted = progressTokenSpan(requestBody)
  return wanted === undefined ? new EditedText(text) : replaceToken(text, requestBody.slice(wanted.start, wanted.end))
}

/** The text of a `notifications/progress` with another token, given as raw JSON. */
export function replaceToken(text: string, raw: string): EditedText {
  const edited = new EditedText(text)
  const params = memberOf(objectMembers(text), 'params')
  const token = params && memberOf(objectMembers(text, params.start), 'progressToken')
  if (token !== undefined) edited.replace('progressToken', '/params/progressToken', token, raw)
  return edited
}

/** The progress token in the `_meta` of a request's params. */
export function progressTokenOf(params: JsonValue | undefined): RequestId | undefined {
  const meta = isObject(params) ? params._meta : undefined
  const token = isObject(meta) ? meta.progressToken : undefined
  return isRequestId(token) ? token : undefined
}

/** The params with another token in the place of theirs. */
export function withProgressToken(params: JsonValue | undefined, token: RequestId): JsonValue | undefined {
  if (!isObject(params) || !isObject(params._meta)) return params
  return { ...params, _meta: { ...params._meta, progressToken: token } }
}
