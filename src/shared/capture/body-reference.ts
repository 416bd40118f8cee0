import type { BodyReference, CallEvent, Edit } from './events'
import { readSseBlock } from './message'

/**
 * The text that references to `event` mean: the body of a request, the message of a frame (of an SSE event the joined
 * `data:` lines, since edits are made in the message). Undefined when the event holds no text of its own.
 */
export function ownText(event: CallEvent): string | undefined {
  switch (event.kind) {
    case 'call.received':
    case 'upstream.sent':
      return event.body
    case 'upstream.frame':
      return event.form === 'event' ? readSseBlock(event.raw).data : event.raw
    case 'response.frame':
    case 'request.answered':
      return event.raw
    default:
      return undefined
  }
}

/** The reference by which `event` names its text, if it does not hold it. */
export function referenceOf(event: CallEvent): BodyReference | undefined {
  if (event.kind === 'upstream.sent') return event.bodyFrom
  if (event.kind === 'response.frame') return event.rawFrom
  return undefined
}

/**
 * The text with `edits` made in it: at `offset`, `was` gives way to `now`. Edits without an offset (headers) and edits
 * that do not fit the text (it was clipped, or comes from a broken file) are left out.
 */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  const placed = edits.filter((edit) => edit.offset !== undefined && edit.what !== 'header')
  if (placed.length === 0) return text
  placed.sort((a, b) => (a.offset ?? 0) - (b.offset ?? 0))
  let result = ''
  let from = 0
  for (const edit of placed) {
    const start = edit.offset ?? 0
    const was = edit.was ?? ''
    if (start < from || !text.startsWith(was, start) || start + was.length > text.length) continue
    result += text.slice(from, start) + (edit.now ?? '')
    from = start + was.length
  }
  return result + text.slice(from)
}

/**
 * The text with the named edits of a body made in it. Of a member that was put in or taken out, an edit names the value
 * alone (`Edit`): here its key and its comma go with it, as the gateway puts them.
 */
export function applyNamedEdits(text: string, edits: readonly Edit[]): string {
  const exact = edits.flatMap((edit): Edit[] => {
    if (edit.offset === undefined || edit.what === 'header') return []
    if (edit.was === undefined && edit.now !== undefined) return [{ ...edit, now: member(edit.at, edit.now) }]
    if (edit.now === undefined && edit.was !== undefined)
      return [{ ...edit, was: removed(text, edit.offset, edit.was) }]
    return [edit]
  })
  // The first member of an object that was empty has no comma before it.
  const put = exact.map((edit, index): Edit => {
    if (edit.was !== undefined || edit.now === undefined) return edit
    const alone = exact[index - 1]?.offset !== edit.offset && /\{\s*$/.test(text.slice(0, edit.offset))
    return { ...edit, now: alone ? edit.now : `,${edit.now}` }
  })
  return applyEdits(text, put)
}

function member(at: string, value: string): string {
  const key = at
    .slice(at.lastIndexOf('/') + 1)
    .replaceAll('~1', '/')
    .replaceAll('~0', '~')
  return `${JSON.stringify(key)}:${value}`
}

/** What goes with a member whose value is `was`: its key, and the comma before or after it. */
function removed(text: string, offset: number, was: string): string {
  const value = text.indexOf(was, offset)
  if (value === -1) return was
  const end = value + was.length
  // From its own key on, the comma behind it goes too; else it was the last one, and the comma before it goes.
  const behind = text.startsWith('"', offset) ? /^\s*,\s*/.exec(text.slice(end))?.[0] : undefined
  return text.slice(offset, end + (behind?.length ?? 0))
}

/** The text of `event` with references resolved; undefined when it has none; `missing` when the event referred to is not there. */
export function resolveText(
  event: CallEvent,
  find: (seq: number) => CallEvent | undefined,
): string | { missing: number } | undefined {
  const own = ownText(event)
  if (own !== undefined) return own
  const reference = referenceOf(event)
  if (reference === undefined) return undefined
  const source = find(reference.seq)
  const text = source === undefined ? undefined : ownText(source)
  return text === undefined ? { missing: reference.seq } : applyEdits(text, reference.edits)
}
