import type { TextEdit } from '../protocol/json-text'
import { decoded, skipSpace, skipValue, stringEnd } from './loose-json'
import { mergeEdits } from './merge-edits'
import { secretEdit } from './secret-keys'

/** A JSON Pointer (RFC 6901) into a message, by segments; `*` stands for any one member or item. */
export type SecretPath = readonly string[]

/** The segments of a pointer; undefined when it is none, or names the whole message. */
export function parseSecretPath(pointer: string): SecretPath | undefined {
  if (!/^(\/([^~/]|~[01])*)+$/.test(pointer)) return undefined
  return segmentsOf(pointer)
}

export function segmentsOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** What is left of each path behind `segments`; an empty rest says that the value there, or one around it, is secret. */
export function below(paths: readonly SecretPath[], segments: readonly string[]): SecretPath[] {
  const rests: SecretPath[] = []
  for (const path of paths) {
    const common = Math.min(path.length, segments.length)
    let at = 0
    while (at < common && (path[at] === '*' || path[at] === segments[at])) at++
    if (at === common) rests.push(path.slice(common))
  }
  return rests
}

/**
 * The edits that put marks in place of what stands at `paths` in a JSON text. In an array (a batch) they count for each of
 * its items, too. A text that begins with a key and a colon is read as the value behind it.
 */
export function pathEdits(text: string, paths: readonly SecretPath[]): TextEdit[] {
  const edits: TextEdit[] = []
  if (paths.length === 0) return edits
  let start = skipSpace(text, 0)
  if (text[start] === '"') {
    const colon = skipSpace(text, stringEnd(text, start))
    if (text[colon] === ':') start = skipSpace(text, colon + 1)
  }
  visit(text, start, paths, edits)
  if (text[start] === '[')
    visit(
      text,
      start,
      paths.map((path) => ['*', ...path]),
      edits,
    )
  return mergeEdits(edits, [])
}

/** Descends no deeper than the longest path, whatever the text. */
function visit(text: string, start: number, paths: readonly SecretPath[], edits: TextEdit[]): number {
  if (paths.some((path) => path.length === 0)) {
    const end = skipValue(text, start)
    if (start !== end) edits.push(...secretEdit(text, start, end))
    return end
  }
  const first = text[start]
  if (first !== '{' && first !== '[') return skipValue(text, start)
  let at = skipSpace(text, start + 1)
  for (let item = 0; at < text.length && text[at] !== '}' && text[at] !== ']'; item++) {
    let name = String(item)
    if (first === '{') {
      const end = stringEnd(text, at)
      name = decoded(text, at, end)
      const colon = skipSpace(text, end)
      // No grammar, but always forward.
      at = skipSpace(text, text[colon] === ':' ? colon + 1 : Math.max(colon, at + 1))
    }
    const rests = paths.flatMap((path) => (path[0] === '*' || path[0] === name ? [path.slice(1)] : []))
    const end = rests.length === 0 ? skipValue(text, at) : visit(text, at, rests, edits)
    at = skipSpace(text, Math.max(end, at))
    if (text[at] === ',') at = skipSpace(text, at + 1)
    else if (text[at] !== '}' && text[at] !== ']') at++
  }
  return Math.min(at + 1, text.length)
}
