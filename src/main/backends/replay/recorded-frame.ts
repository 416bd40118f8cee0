import { base64Of, binaryOf, binaryOfText, isWhole } from '../../../shared/capture/frame-bytes'
import { isObject, type JsonObject, type JsonValue, type RequestId } from '../../../shared/protocol/json-rpc'
import {
  applyTextEdits,
  insertMember,
  memberOf,
  objectMembers,
  type MemberSpan,
  type TextEdit,
} from '../../../shared/protocol/json-text'
import { META } from '../../../shared/protocol/meta'
import { messageTextOf, type RecordedExchange, type RecordedFrame } from '../../../shared/replay/recorded-exchange'
import type { UpstreamPart } from '../backend'

/** What a recorded exchange is told with now. */
export interface Retelling {
  /** Id and progress token of the request that is answered. */
  id: RequestId
  progressToken: JsonValue | undefined
  /** In place of the recorded request state. */
  requestState: string
}

/** The frame as it would have answered the request of now: recorded byte for byte but for id, token and request state. */
export function retold(
  frame: RecordedFrame,
  recorded: RecordedExchange,
  retelling: Retelling,
): UpstreamPart & { kind: 'frame' } {
  const { form, raw, message, bytes } = frame
  const text = messageTextOf(frame)
  // What was no message then is none now: there is nothing in it to put another id into.
  if (text === undefined || message === null || message.kind === 'invalid' || message.kind === 'unread')
    return {
      kind: 'frame',
      form,
      raw,
      ...(text !== undefined && { data: text }),
      ...(bytes !== undefined && { bytes }),
    }
  const edits = editsOf(text, frame, recorded, retelling)
  const data = applyTextEdits(text, edits)
  if (form !== 'event') {
    const changed = bytes === undefined ? undefined : retoldBytes(bytes, frame, recorded, retelling)
    return { kind: 'frame', form, raw: data, data, ...(changed !== undefined && { bytes: changed }) }
  }
  return { kind: 'frame', form, raw: edits.length === 0 ? raw : withData(raw, data), data }
}

const BYTE_ORDER_MARK = '\xef\xbb\xbf'

/** The bytes with the same edits; undefined where they are not all there, since there is no finding a place in them. */
function retoldBytes(
  bytes: string,
  frame: RecordedFrame,
  recorded: RecordedExchange,
  retelling: Retelling,
): string | undefined {
  const binary = binaryOf(bytes)
  if (!isWhole(binary)) return undefined
  const mark = binary.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : ''
  const text = binary.slice(mark.length)
  const edits = editsOf(text, frame, recorded, retelling)
  return base64Of(
    mark +
      applyTextEdits(
        text,
        edits.map((edit) => ({ ...edit, text: binaryOfText(edit.text) })),
      ),
  )
}

function editsOf(text: string, { message }: RecordedFrame, recorded: RecordedExchange, now: Retelling): TextEdit[] {
  const members = objectMembers(text)
  const edits: TextEdit[] = []
  const replace = (span: MemberSpan | undefined, value: JsonValue): void => {
    if (span !== undefined) edits.push({ start: span.start, end: span.end, text: JSON.stringify(value) })
  }
  if (message?.kind === 'result' || message?.kind === 'error') {
    replace(memberOf(members, 'id'), now.id)
    const result = memberOf(members, 'result')
    const asks = isObject(message.result) && message.result.resultType === 'input_required'
    if (result !== undefined && asks) {
      const state = memberOf(objectMembers(text, result.start), 'requestState')
      if (state !== undefined) replace(state, now.requestState)
      else edits.push(insertMember(text, result.start, 'requestState', JSON.stringify(now.requestState)))
    }
    if (result !== undefined) replaceSubscription(result, isObject(message.result) ? message.result : {})
  }
  const params = memberOf(members, 'params')
  if (message?.kind === 'notification' && params !== undefined) {
    const own = message.params ?? {}
    const recordedToken = isObject(recorded.params._meta) ? recorded.params._meta.progressToken : undefined
    const isOwnToken = recordedToken !== undefined && String(own.progressToken) === String(recordedToken)
    if (isOwnToken && now.progressToken !== undefined)
      replace(memberOf(objectMembers(text, params.start), 'progressToken'), now.progressToken)
    replaceSubscription(params, own)
  }
  return edits

  /** Of a stream of subscriptions: its id is that of the request (basic/patterns/subscriptions). */
  function replaceSubscription(span: MemberSpan, own: JsonObject): void {
    if (!isObject(own._meta) || own._meta[META.subscriptionId] !== recorded.id) return
    const meta = memberOf(objectMembers(text, span.start), '_meta')
    if (meta !== undefined) replace(memberOf(objectMembers(text, meta.start), META.subscriptionId), now.id)
  }
}

/** The block of an SSE event with other data; its other fields stay as they were. */
function withData(raw: string, data: string): string {
  const others = raw.split(/\r\n|\r|\n/).filter((line) => line !== '' && line !== 'data' && !line.startsWith('data:'))
  return [...others, ...data.split('\n').map((line) => `data: ${line}`)].join('\n')
}
