import { createScanner, type Node } from 'jsonc-parser'
import type { JsonValue } from '../../shared/protocol/json-rpc'

/**
 * The text with one more member at the end of `object`, in the layout of the text. jsonc-parser's own `modify` prints
 * the neighbour anew and moves comments behind it to the new member; here every other character stays. `trails`: a comma
 * behind the last member stays one, so that `removeMember` brings the text back; else it goes, since strict readers refuse it.
 */
export function insertMember(text: string, object: Node, key: string, value: unknown, trails = false): string {
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
  const [before, after] = commaAfter(text, lastEnd) === undefined ? [',', ''] : ['', trails ? ',' : '']
  return text.slice(0, lastEnd) + before + text.slice(lastEnd, contentEnd) + member + after + text.slice(contentEnd)
}

/** Where the comma stands that follows what ends at `at`, comments between them or not; undefined when none does. */
export function commaAfter(text: string, at: number): number | undefined {
  const scanner = createScanner(text, true)
  scanner.setPosition(at)
  scanner.scan()
  const offset = scanner.getTokenOffset()
  return text[offset] === ',' ? offset : undefined
}

/** The value as it is written at `offset`: over several lines, or on the one that it stands on. */
export function printAt(text: string, offset: number, value: JsonValue, lines: boolean): string {
  if (!lines) return printInline(value)
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  return JSON.stringify(value, null, indentUnitOf(text)).replace(/\n/g, eol + indentAt(text, offset))
}

function printInline(value: JsonValue | undefined): string {
  if (Array.isArray(value)) return `[${value.map(printInline).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).map(([key, one]) => `${JSON.stringify(key)}: ${printInline(one)}`)
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
}

function indentAt(text: string, offset: number): string {
  const lineStart = text.lastIndexOf('\n', offset - 1) + 1
  return /^[ \t]*/.exec(text.slice(lineStart, offset))?.[0] ?? ''
}

function indentUnitOf(text: string): string {
  const first = /\n([ \t]+)\S/.exec(text)?.[1] ?? '  '
  return first.startsWith('\t') ? '\t' : first
}
