import {
  findNodeAtLocation,
  getNodeValue,
  parseTree,
  printParseErrorCode,
  type Node,
  type ParseError,
} from 'jsonc-parser'
import { configurationProblem, type ConfigurationProblem } from '../../shared/config/problem'
import type { JsonValue } from '../../shared/protocol/json-rpc'

/** JSON with comments and trailing commas, as editors and other MCP tools write it. */
export interface ParsedDocument {
  value: JsonValue
  /** Offsets count in the text as it was given. */
  root: Node | undefined
  /** Syntax errors and keys that stand twice; `value` is to be used only when there are none. */
  problems: ConfigurationProblem[]
  /** The same problem with its line and column. */
  locate(problem: ConfigurationProblem): ConfigurationProblem
}

export function parseDocument(text: string): ParsedDocument {
  const source = text.startsWith('\uFEFF') ? ` ${text.slice(1)}` : text
  const errors: ParseError[] = []
  const root = parseOrRefuse(source, errors)
  if (root === 'too-deep')
    return {
      value: null,
      root: undefined,
      problems: [configurationProblem([], 'is nested too deeply', 'write { "mcpServers": { … } }')],
      locate: (problem) => problem,
    }
  const positionOf = (offset: number): { line: number; column: number } => {
    const before = source.slice(0, offset)
    const line = before.split('\n').length
    return { line, column: offset - before.lastIndexOf('\n') }
  }
  const locate = (problem: ConfigurationProblem): ConfigurationProblem => {
    const node = root === undefined ? undefined : nearestNode(root, problem.at)
    return node === undefined ? problem : { ...problem, ...positionOf(node.offset) }
  }
  if (root === undefined || errors.length > 0)
    return { value: null, root, problems: syntaxProblems(source, errors, positionOf), locate }
  const problems = duplicateKeys(root).map(({ at, node }) => ({
    ...configurationProblem(at, 'stands twice in the same object', 'keep one of them'),
    ...positionOf(node.offset),
  }))
  return { value: getNodeValue(root) as JsonValue, root, problems, locate }
}

/** The parser recurses, so that absurd nesting ends its stack. */
function parseOrRefuse(source: string, errors: ParseError[]): Node | undefined | 'too-deep' {
  try {
    return parseTree(source, errors, { allowTrailingComma: true, disallowComments: false })
  } catch (error) {
    if (error instanceof RangeError) return 'too-deep'
    throw error
  }
}

const FIXES: Readonly<Record<string, string>> = {
  CommaExpected: 'put a comma between the members',
  ColonExpected: 'put a colon between the key and its value',
  PropertyNameExpected: 'put the key in double quotes',
  ValueExpected: 'give the key a value',
  CloseBraceExpected: 'close the object with "}"',
  CloseBracketExpected: 'close the array with "]"',
  UnexpectedEndOfString: 'close the string with a double quote',
  UnexpectedEndOfComment: 'close the comment with "*/"',
  InvalidSymbol: 'write strings in double quotes',
  EndOfFileExpected: 'remove what follows the end of the object',
}

/** The first error on a line is the cause; those after it are its echoes. */
function syntaxProblems(
  source: string,
  errors: readonly ParseError[],
  positionOf: (offset: number) => { line: number; column: number },
): ConfigurationProblem[] {
  if (source.trim() === '') return [configurationProblem([], 'is empty', 'write { "mcpServers": { … } }')]
  const problems: ConfigurationProblem[] = []
  for (const error of errors) {
    const position = positionOf(error.offset)
    if (problems.some((problem) => problem.line === position.line)) continue
    const name = printParseErrorCode(error.error)
    const words = name.replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    problems.push({
      ...configurationProblem([], `is not valid JSON: ${words.toLowerCase()}`, FIXES[name] ?? 'correct the syntax'),
      ...position,
    })
    if (problems.length === 10) break
  }
  return problems
}

/** The node at `at`, or of the innermost parent that exists. For a member, its key is where one looks for it. */
function nearestNode(root: Node, at: readonly (string | number)[]): Node | undefined {
  for (let length = at.length; length > 0; length--) {
    const node = findNodeAtLocation(root, at.slice(0, length))
    if (node !== undefined) return node.parent?.type === 'property' ? node.parent : node
  }
  return root
}

function duplicateKeys(root: Node): { at: (string | number)[]; node: Node }[] {
  const found: { at: (string | number)[]; node: Node }[] = []
  const open: { at: (string | number)[]; node: Node }[] = [{ at: [], node: root }]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { at, node } = next
    const keys = new Set<string>()
    node.children?.forEach((child, index) => {
      if (node.type === 'array') {
        open.push({ at: [...at, index], node: child })
        return
      }
      const [keyNode, valueNode] = child.children ?? []
      const key = String(keyNode?.value)
      if (keys.has(key)) found.push({ at: [...at, key], node: child })
      keys.add(key)
      if (valueNode !== undefined) open.push({ at: [...at, key], node: valueNode })
    })
  }
  return found
}
