import { isDeepStrictEqual } from 'node:util'
import { findNodeAtLocation, type Node } from 'jsonc-parser'
import { isObject, type JsonValue } from '../../shared/protocol/json-rpc'
import { insertMember, printAt } from './insert-member'
import { parseDocument } from './parse-document'
import { removeMember } from './remove-member'

type Path = readonly (string | number)[]

/**
 * The text with `value` at `path`, where another value stands. Of an object only the members that differ are written, of a
 * list of the same length only the items, so that comments and layout of the rest stay. The order of members is that of
 * the text.
 */
export function rewriteValue(text: string, path: Path, value: JsonValue): string {
  const before = valueAt(text, path)
  if (isDeepStrictEqual(before, value)) return text
  if (isObject(before) && isObject(value)) {
    let edited = text
    for (const key of Object.keys(before)) {
      if (Object.hasOwn(value, key) && value[key] !== undefined) continue
      const member = nodeAt(edited, [...path, key]).parent
      if (member !== undefined) edited = removeMember(edited, nodeAt(edited, path), member)
    }
    for (const [key, one] of Object.entries(value)) {
      if (one === undefined) continue
      edited = Object.hasOwn(before, key)
        ? rewriteValue(edited, [...path, key], one)
        : insertMember(edited, nodeAt(edited, path), key, one)
    }
    return edited
  }
  if (Array.isArray(before) && Array.isArray(value) && before.length === value.length)
    return value.reduce<string>((edited, item, index) => rewriteValue(edited, [...path, index], item), text)
  const { offset, length } = nodeAt(text, path)
  const inLines = text.slice(offset, offset + length).includes('\n')
  return text.slice(0, offset) + printAt(text, offset, value, inLines) + text.slice(offset + length)
}

function valueAt(text: string, path: Path): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>((value, key) => {
    if (Array.isArray(value)) return value[Number(key)]
    return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
  }, parseDocument(text).value)
}

function nodeAt(text: string, path: Path): Node {
  const { root } = parseDocument(text)
  const node = root === undefined ? undefined : findNodeAtLocation(root, [...path])
  if (node === undefined) throw new RangeError(`there is nothing at ${path.join('.')}`)
  return node
}
