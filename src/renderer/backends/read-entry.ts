import { getNodeValue, parseTree, printParseErrorCode, type Node, type ParseError } from 'jsonc-parser'
import type { JsonObject } from '../../shared/protocol/json-rpc'
import { visibleString } from '../text/visible-text'

/** The entry of a backend in a text, with its own text and the name that stands before it; or why there is none. */
export type ReadEntry =
  | { entry: JsonObject; source: string; name: string | null; problem: null }
  | { entry: null; name: null; problem: string; several: boolean }

/** Where files of other tools have their servers. */
const PLACES = [['mcpServers'], ['servers'], ['mcp', 'servers'], ['context_servers']]
/** Members that tell an entry from the names of servers. */
const OF_ENTRY: ReadonlySet<string> = new Set(['type', 'command', 'url', 'serverUrl', 'httpUrl', 'file'])
const MOST_NAMES = 5

/**
 * Reads an entry, or a fragment of a configuration around a single one, as the pages of servers print it: with or without
 * the outermost braces, with comments and trailing commas, between the fences of Markdown.
 */
export function readEntry(text: string): ReadEntry {
  if (text.trim() === '') return refused('Paste its entry, or the {"mcpServers": …} around it that its page shows.')
  const parsed = parse(text)
  if (typeof parsed === 'string') return refused(parsed)
  const { root, source } = parsed
  if (root.type !== 'object') return refused('An entry is an object, such as { "url": "…" }.')
  const servers = serversOf(root)
  if (servers === null) return entryAt(root, source, null)
  if (servers.type !== 'object') return refused('What should hold the servers is no object.')
  const members = servers.children ?? []
  const [only] = members
  if (only === undefined) return refused('No server is named here.')
  if (members.length > 1) {
    const names = members.slice(0, MOST_NAMES).map((member) => visibleString(keyOf(member)))
    const more = members.length > MOST_NAMES ? ', …' : ''
    return refused(`There are ${members.length} servers here: ${names.join(', ')}${more}. Leave one of them.`, true)
  }
  const [, entry] = only.children ?? []
  if (entry?.type !== 'object') return refused(`The entry of “${visibleString(keyOf(only))}” is no object.`)
  return entryAt(entry, source, keyOf(only))
}

function refused(problem: string, several = false): ReadEntry {
  return { entry: null, name: null, problem, several }
}

function entryAt(node: Node, source: string, name: string | null): ReadEntry {
  const own = source.slice(node.offset, node.offset + node.length)
  return { entry: getNodeValue(node) as JsonObject, source: own, name, problem: null }
}

/** The object whose members are servers; null when `root` is an entry itself. */
function serversOf(root: Node): Node | null {
  for (const path of PLACES) {
    const found = path.reduce<Node | undefined>((node, key) => node && memberOf(node, key), root)
    if (found !== undefined) return found
  }
  const members = root.children ?? []
  const areServers = members.every((member) => {
    const [, value] = member.children ?? []
    return value?.children?.some((inner) => value.type === 'object' && OF_ENTRY.has(keyOf(inner))) === true
  })
  return members.length > 0 && areServers ? root : null
}

function memberOf(node: Node, key: string): Node | undefined {
  if (node.type !== 'object') return undefined
  return node.children?.find((member) => keyOf(member) === key)?.children?.[1]
}

function keyOf(member: Node): string {
  return String(member.children?.[0]?.value)
}

/** Also of members without the braces around them; what is wrong, in words. */
function parse(text: string): { root: Node; source: string } | string {
  // A byte order mark comes along from some editors.
  const plain = withoutFences(text.replace(/^\uFEFF/, ' '))
  try {
    const whole = treeOf(plain)
    if (whole.error === undefined && whole.root !== undefined) return { root: whole.root, source: plain }
    if (/^\s*"/.test(plain)) {
      // In a line of their own, for a comment in the last one.
      const source = `{${plain}\n}`
      const braced = treeOf(source)
      if (braced.error === undefined && braced.root !== undefined) return { root: braced.root, source }
    }
    const { error } = whole
    if (error === undefined) return 'This is no JSON yet.'
    const words = printParseErrorCode(error.error).replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    const line = plain.slice(0, error.offset).split('\n').length
    return `This is no JSON yet: ${words.toLowerCase()}, in line ${line}.`
  } catch (error) {
    // The parser recurses, so that absurd nesting ends its stack.
    if (error instanceof RangeError) return 'This is nested too deeply.'
    throw error
  }
}

/** Pages are copied as Markdown, too. Lines keep their numbers. */
function withoutFences(text: string): string {
  const inner = text.replace(/^(\s*)```\w*[ \t]*(?=\r?\n)/, '$1')
  return inner === text ? text : inner.replace(/\n[ \t]*```\s*$/, '\n')
}

function treeOf(text: string): { root: Node | undefined; error: ParseError | undefined } {
  const errors: ParseError[] = []
  const root = parseTree(text, errors, { allowTrailingComma: true, disallowComments: false })
  return { root, error: errors[0] }
}
