/**
 * JSON as the lines of an indented print, without printing: every line points into the original text, so that numbers,
 * escapes, key order and duplicate keys are shown as they were sent. Lines lie in flat arrays; a text of several
 * megabytes is read in slices (`scanJson` yields) and drawn a screenful at a time.
 */
export type LineKind = 'scalar' | 'open' | 'close' | 'empty' | 'rest'

export interface JsonProblem {
  message: string
  offset: number
}

const NONE = -1
const YIELD_EVERY = 65_536

export class JsonLines {
  /** Set when the text is no JSON from `offset` on; what follows is the last line, of kind `rest`. */
  problem: JsonProblem | null = null
  private readonly kinds: LineKind[] = []
  private readonly depths: number[] = []
  private readonly keyStarts: number[] = []
  private readonly keyEnds: number[] = []
  private readonly starts: number[] = []
  private readonly ends: number[] = []
  private readonly matches: number[] = []
  private readonly parents: number[] = []
  private readonly positions: number[] = []
  private readonly children: number[] = []

  constructor(readonly text: string) {}

  get count(): number {
    return this.kinds.length
  }
  kind(line: number): LineKind {
    return this.kinds[line] ?? 'rest'
  }
  depth(line: number): number {
    return this.depths[line] ?? 0
  }
  /** The key with its quotes; empty for items and the root. */
  key(line: number): string {
    const start = this.keyStarts[line] ?? NONE
    return start === NONE ? '' : this.text.slice(start, this.keyEnds[line])
  }
  start(line: number): number {
    return this.starts[line] ?? 0
  }
  /** End of the value; for `open` that of the whole object or array. */
  end(line: number): number {
    return this.ends[line] ?? this.text.length
  }
  /** The line of the closing bracket of an `open`, of the opening one of a `close`. */
  match(line: number): number {
    return this.matches[line] ?? NONE
  }
  parent(line: number): number {
    return this.parents[line] ?? NONE
  }
  /** How many members or items an `open` has. */
  size(line: number): number {
    return this.children[line] ?? 0
  }
  /** Raw text of the value at `line`, children included. */
  value(line: number): string {
    const opening = this.kind(line) === 'close' ? this.match(line) : line
    return this.text.slice(this.start(opening), this.end(opening))
  }
  /** True when a comma belongs after the value that ends on `line`. */
  hasComma(line: number): boolean {
    const opening = this.kind(line) === 'close' ? this.match(line) : line
    const parent = this.parent(opening)
    return parent !== NONE && (this.positions[opening] ?? 0) < this.size(parent) - 1
  }

  /** From the root to the value at `line`: decoded keys and positions. */
  path(line: number): (string | number)[] {
    const path: (string | number)[] = []
    let at = this.kind(line) === 'close' ? this.match(line) : line
    while (this.parent(at) !== NONE) {
      const key = this.key(at)
      path.unshift(key === '' ? (this.positions[at] ?? 0) : decodeKey(key))
      at = this.parent(at)
    }
    return path
  }

  /** The innermost line whose key or value covers `offset` of the text. */
  lineAt(offset: number): number {
    let low = 0
    let high = this.count - 1
    while (low < high) {
      const middle = (low + high + 1) >>> 1
      if (this.from(middle) <= offset) low = middle
      else high = middle - 1
    }
    return low
  }

  /** The line of the value that a JSON Pointer (RFC 6901) names, or of the nearest one above it that exists. */
  lineOfPointer(pointer: string): number {
    const steps = pointer.split('/').slice(1)
    let at = 0
    for (const step of steps) {
      const wanted = step.replaceAll('~1', '/').replaceAll('~0', '~')
      const next = this.child(at, wanted)
      if (next === NONE) break
      at = next
    }
    return at
  }

  private child(line: number, step: string): number {
    if (this.kind(line) !== 'open') return NONE
    let found = NONE
    for (let at = line + 1; at < this.match(line); at = this.kind(at) === 'open' ? this.match(at) + 1 : at + 1) {
      const key = this.key(at)
      // Of duplicate keys the last one counts, as for JSON.parse.
      if (key === '' ? String(this.positions[at]) === step : decodeKey(key) === step) found = at
    }
    return found
  }

  private from(line: number): number {
    const key = this.keyStarts[line] ?? NONE
    return key === NONE ? this.start(line) : key
  }

  /** For the scanner. Returns the number of the new line. */
  add(
    kind: LineKind,
    depth: number,
    keyStart: number,
    keyEnd: number,
    start: number,
    end: number,
    parent: number,
  ): number {
    const line = this.kinds.length
    this.kinds.push(kind)
    this.depths.push(depth)
    this.keyStarts.push(keyStart)
    this.keyEnds.push(keyEnd)
    this.starts.push(start)
    this.ends.push(end)
    this.matches.push(NONE)
    this.parents.push(parent)
    this.positions.push(parent === NONE ? 0 : (this.children[parent] ?? 0))
    this.children.push(0)
    if (parent !== NONE && kind !== 'close' && kind !== 'rest') this.children[parent] = (this.children[parent] ?? 0) + 1
    return line
  }

  /** For the scanner: `close` ends the value that `open` began. */
  join(open: number, close: number, end: number): void {
    this.matches[open] = close
    this.matches[close] = open
    this.ends[open] = end
  }
}

/** Reads the whole text at once. For texts up to some hundred kilobytes. */
export function readJsonLines(text: string): JsonLines {
  const scan = scanJson(text)
  for (;;) {
    const step = scan.next()
    if (step.done === true) return step.value
  }
}

class Unreadable extends Error {
  constructor(
    message: string,
    readonly offset: number,
  ) {
    super(message)
  }
}

/** Reads the text in slices; yields how far it came, in characters. */
export function* scanJson(text: string): Generator<number, JsonLines> {
  const lines = new JsonLines(text)
  let parent = NONE
  let at = 0
  let due = YIELD_EVERY
  try {
    for (;;) {
      // One member, item or root value a turn.
      if (at > due) {
        due = at + YIELD_EVERY
        yield at
      }
      at = skipSpace(text, at)
      const depth = parent === NONE ? 0 : lines.depth(parent) + 1
      let keyStart = NONE
      let keyEnd = NONE
      if (parent !== NONE && text[lines.start(parent)] === '{') {
        keyStart = at
        keyEnd = endOfString(text, at)
        at = expect(text, keyEnd, ':')
        at = skipSpace(text, at)
      }
      const open = text[at]
      if (open === '{' || open === '[') {
        const inside = skipSpace(text, at + 1)
        if (text[inside] === (open === '{' ? '}' : ']')) {
          lines.add('empty', depth, keyStart, keyEnd, at, inside + 1, parent)
          at = inside + 1
        } else {
          parent = lines.add('open', depth, keyStart, keyEnd, at, text.length, parent)
          at = inside
          continue
        }
      } else {
        const end = endOfScalar(text, at)
        lines.add('scalar', depth, keyStart, keyEnd, at, end, parent)
        at = end
      }
      // After a value: a comma, or the ends of what is open.
      for (;;) {
        at = skipSpace(text, at)
        if (parent === NONE) {
          if (at < text.length) throw new Unreadable('text after the end of the value', at)
          return lines
        }
        if (text[at] === ',') {
          at++
          break
        }
        const closing = text[lines.start(parent)] === '{' ? '}' : ']'
        if (text[at] !== closing) throw new Unreadable(`expected "," or "${closing}"`, at)
        const close = lines.add('close', lines.depth(parent), NONE, NONE, at, at + 1, lines.parent(parent))
        lines.join(parent, close, at + 1)
        parent = lines.parent(parent)
        at++
      }
    }
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    lines.problem = { message: error.message, offset: error.offset }
    const from = Math.min(error.offset, at)
    if (from < text.length || lines.count === 0) lines.add('rest', 0, NONE, NONE, from, text.length, NONE)
    return lines
  }
}

/** The lines in sight when the objects and arrays at `collapsed` are folded to one line each. */
export function linesInSight(lines: JsonLines, collapsed: ReadonlySet<number>): number[] {
  const sight: number[] = []
  for (let line = 0; line < lines.count; line++) {
    sight.push(line)
    if (collapsed.has(line) && lines.match(line) > line) line = lines.match(line)
  }
  return sight
}

/** Lines on which `wanted` occurs in key or value, ignoring case. At most `most`. */
export function findLines(lines: JsonLines, wanted: string, most: number): number[] {
  const found: number[] = []
  if (wanted === '') return found
  const pattern = new RegExp(wanted.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'), 'gi')
  for (const match of lines.text.matchAll(pattern)) {
    if (found.length >= most) break
    const line = lines.lineAt(match.index)
    if (found.at(-1) !== line) found.push(line)
  }
  return found
}

/** A path as developers write it: `$.result.content[0].text`. */
export function formatPath(path: readonly (string | number)[]): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`
    return /^[A-Za-z_$][\w$]*$/.test(step) ? `${text}.${step}` : `${text}[${JSON.stringify(step)}]`
  }, '$')
}

function decodeKey(quoted: string): string {
  try {
    return String(JSON.parse(quoted))
  } catch (error) {
    if (error instanceof SyntaxError) return quoted.slice(1, -1)
    throw error
  }
}

function skipSpace(text: string, from: number): number {
  let at = from
  for (;;) {
    const code = text.charCodeAt(at)
    if (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) at++
    else return at
  }
}

function expect(text: string, from: number, char: string): number {
  const at = skipSpace(text, from)
  if (text[at] !== char) throw new Unreadable(`expected "${char}"`, at)
  return at + 1
}

function endOfString(text: string, from: number): number {
  if (text[from] !== '"') throw new Unreadable('expected a string', from)
  for (let at = from + 1; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x5c) at++
    else if (code === 0x22) return at + 1
    else if (code < 0x20) throw new Unreadable('a control character inside a string', at)
  }
  throw new Unreadable('a string without end', from)
}

const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y
function endOfScalar(text: string, from: number): number {
  if (text[from] === '"') return endOfString(text, from)
  SCALAR.lastIndex = from
  const match = SCALAR.exec(text)
  if (match === null || match[0] === '') throw new Unreadable('expected a value', from)
  return from + match[0].length
}
