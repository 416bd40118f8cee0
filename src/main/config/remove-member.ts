import type { Node } from 'jsonc-parser'
import { commaAfter } from './insert-member'

/** The text without that member of `object`, undoing what `insertMember` does: every other character stays. */
export function removeMember(text: string, object: Node, member: Node): string {
  const members = object.children ?? []
  const previous = members[members.indexOf(member) - 1]
  const end = member.offset + member.length
  const ownComma = commaAfter(text, end)
  // A comment that stands before the comma stays.
  if (ownComma !== undefined && !isBlank(text.slice(end, ownComma)))
    return text.slice(0, member.offset) + text.slice(end, ownComma) + text.slice(ownComma + 1)
  // The last one takes the comma before it along, unless commas stand behind last members here.
  const before =
    ownComma === undefined && previous !== undefined ? commaAfter(text, previous.offset + previous.length) : undefined
  let from = member.offset
  let to = ownComma === undefined ? end : ownComma + 1
  const lineStart = text.lastIndexOf('\n', from - 1) + 1
  const lineEnd = text.indexOf('\n', to)
  const ownLines = lineEnd !== -1 && isBlank(text.slice(lineStart, from)) && isBlank(text.slice(to, lineEnd))
  if (ownLines) {
    from = lineStart
    to = lineEnd + 1
  } else if (ownComma !== undefined) to += /^[ \t]*/.exec(text.slice(to))?.[0].length ?? 0
  else if (before !== undefined && isBlank(text.slice(before + 1, from))) from = before + 1
  const head = before === undefined ? text.slice(0, from) : text.slice(0, before) + text.slice(before + 1, from)
  const rest = head + text.slice(to)
  return members.length === 1 ? closeUp(rest, object.offset) : rest
}

/** `{}` where nothing is left between the braces. */
function closeUp(text: string, open: number): string {
  const inner = /^\s*(?=\})/.exec(text.slice(open + 1))?.[0].length ?? 0
  return text.slice(0, open + 1) + text.slice(open + 1 + inner)
}

function isBlank(text: string): boolean {
  return text.trim() === ''
}
