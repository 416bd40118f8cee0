import { applyEdits, findNodeAtLocation, modify, parseTree, printParseErrorCode, type ParseError } from 'jsonc-parser'
import { isObject, type JsonObject, type JsonValue } from '../../shared/protocol/json-rpc'
import type { TextMark } from './json-editor'
import type { Problem } from './schema-check'

export type Path = (string | number)[]

const FORMAT = { formattingOptions: { insertSpaces: true, tabSize: 2, eol: '\n' } }
const STRICT = { disallowComments: true, allowTrailingComma: false, allowEmptyContent: false }

export type ReadText = { value: JsonObject; mark: null } | { value: null; mark: TextMark }

/** The object that a text holds, or where and why it holds none. */
export function readObject(text: string): ReadText {
  try {
    const value: unknown = JSON.parse(text)
    if (isObject(value)) return { value, mark: null }
    return { value: null, mark: { from: 0, to: text.length, message: 'This is JSON, but no object.' } }
  } catch (error) {
    const errors: ParseError[] = []
    parseTree(text, errors, STRICT)
    const [first] = errors
    const message = first === undefined ? messageOf(error) : wordsOf(printParseErrorCode(first.error))
    const from = first?.offset ?? 0
    return { value: null, mark: { from, to: from + Math.max(first?.length ?? 1, 1), message } }
  }
}

/**
 * The text with the value at `path` set, or removed when it is undefined. Only that place is written anew: spelling of
 * numbers, order and white space elsewhere stay. Undefined when the text has no place for it.
 */
export function withValueAt(text: string, path: Path, value: JsonValue | undefined): string | undefined {
  try {
    return applyEdits(text, modify(text, path, value, FORMAT))
  } catch (error) {
    // An array or a text stands where the path expects an object.
    if (error instanceof Error) return undefined
    throw error
  }
}

/** Where the problems of a value stand in its text; those of what is missing, at what it is missing in. */
export function marksOf(text: string, base: Path, problems: readonly Problem[]): TextMark[] {
  const tree = parseTree(text)
  if (tree === undefined) return []
  return problems.map(({ pointer, message }) => {
    const path = [...base, ...pathOf(pointer, base, text)]
    const node = findNodeAtLocation(tree, path)
    if (node !== undefined) return { from: node.offset, to: node.offset + node.length, message }
    const parent = findNodeAtLocation(tree, path.slice(0, -1)) ?? tree
    const missing = String(path.at(-1) ?? '')
    return { from: parent.offset, to: parent.offset + 1, message: `"${missing}" ${message}` }
  })
}

/** Digits are a place in a list, or the name of a member. */
function pathOf(pointer: string, base: Path, text: string): Path {
  let at: unknown = JSON.parse(text)
  for (const step of base) at = isObject(at) ? at[step] : undefined
  return pointer
    .split('/')
    .slice(1)
    .map((step) => {
      const name = step.replaceAll('~1', '/').replaceAll('~0', '~')
      const key = Array.isArray(at) ? Number(name) : name
      at = Array.isArray(at) ? at[Number(name)] : isObject(at) ? at[name] : undefined
      return key
    })
}

function wordsOf(code: string): string {
  const words = code
    .replace(/([A-Z])/g, ' $1')
    .trim()
    .toLowerCase()
  return `This is no JSON: ${words}.`
}
function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
