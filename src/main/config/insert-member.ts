import { createScanner, type Node } from 'jsonc-parser'

/**
 * The text with one more member at the end of `object`, in the layout of the text. jsonc-parser's own `modify` prints
 * the neighbour anew and moves comments behind it to the new member; here every other character stays.
 */
export function insertMember(text: string, object: Node, key: string, value: unknown): string {
  const close = object.offset + object.length - 1
  const last = object.children?.at(-1)
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  const unit = indentUnitOf(text)
  const outer = indentAt(text, object.offset)
  if (last !== undefined && !text.slice(last.offset + last.length, close).includes('\n')) {
    const at = last.offset + last.length
    return `${text.slice(0, at)}, ${JSON.stringify(key)}: ${JSON.stringify(value)}${text.slice(at)}`
  }
  const inner = last === undefined ? outer + unit : indentAt(text, last.offset)
  const printed = JSON.stringify(value, null, unit).replace(/\n/g, eol + inner)
  const member = `${eol}${inner}${JSON.stringify(key)}: ${printed}`
  const contentEnd = object.offset + text.slice(object.offset, close).trimEnd().length
  if (last === undefined) {
    const rest = text.slice(contentEnd, close).includes('\n') ? text.slice(contentEnd) : eol + outer + text.slice(close)
    return text.slice(0, contentEnd) + member + rest
  }
  const lastEnd = last.offset + last.length
  const comma = hasCommaAfter(text, lastEnd) ? '' : ','
  return text.slice(0, lastEnd) + comma + text.slice(lastEnd, contentEnd) + member + text.slice(contentEnd)
}

function hasCommaAfter(text: string, at: number): boolean {
  const scanner = createScanner(text, true)
  scanner.setPosition(at)
  scanner.scan()
  return text[scanner.getTokenOffset()] === ','
}

function indentAt(text: string, offset: number): string {
  const lineStart = text.lastIndexOf('\n', offset - 1) + 1
  return /^[ \t]*/.exec(text.slice(lineStart, offset))?.[0] ?? ''
}

function indentUnitOf(text: string): string {
  const first = /\n([ \t]+)\S/.exec(text)?.[1] ?? '  '
  return first.startsWith('\t') ? '\t' : first
}
