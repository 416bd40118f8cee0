/**
 * Tells whether a URI can come from an RFC 6570 template. The SDK's `UriTemplate.match` builds a backtracking regular
 * expression, which a hostile template and URI keep busy for ever; here all ways are followed at once, within a budget.
 *
 * Deliberately lenient: a value may have any character that its operator cannot be confused by, since real servers do
 * not encode strictly, and the backend itself has the last word.
 */
export interface UriTemplate {
  /** The text before the first expression. */
  prefix: string
  program: readonly Step[]
}

type Step =
  | { do: 'char'; char: string }
  /** Any number of characters, but for those in `except`. */
  | { do: 'run'; except: string }
  /** Goes on here and at `to`. */
  | { do: 'split'; to: number }

/** Steps that may still be spent on one look-up. */
export interface Budget {
  steps: number
}

const MAX_TEMPLATE_LENGTH = 1_000
const MAX_EXPRESSIONS = 50
const MAX_URI_LENGTH = 8_192

/** What may follow the leading character of an operator. */
const RUNS: Readonly<Record<string, { lead: string; except: string }>> = {
  '+': { lead: '', except: '' },
  '#': { lead: '#', except: '' },
  '.': { lead: '.', except: '/' },
  '/': { lead: '/', except: '/' },
  ';': { lead: ';', except: '/' },
  '?': { lead: '?', except: '#' },
  '&': { lead: '&', except: '#' },
}

/** The template, or why it is none, in words. */
export function parseUriTemplate(template: string): UriTemplate | { fault: string } {
  if (template.length > MAX_TEMPLATE_LENGTH)
    return { fault: `the URI template is longer than ${MAX_TEMPLATE_LENGTH} characters` }
  const program: Step[] = []
  const literal = (text: string): void => {
    for (const char of text) program.push({ do: 'char', char })
  }
  const firstBrace = template.indexOf('{')
  let at = 0
  let expressions = 0
  for (;;) {
    const open = template.indexOf('{', at)
    if (open === -1) break
    literal(template.slice(at, open))
    const close = template.indexOf('}', open)
    if (close === -1) return { fault: 'the URI template has a "{" without "}"' }
    if (++expressions > MAX_EXPRESSIONS)
      return { fault: `the URI template has more than ${MAX_EXPRESSIONS} expressions` }
    const expression = template.slice(open + 1, close)
    const run = RUNS[expression[0] ?? '']
    const severalParts = /[,*]/.test(expression)
    if (run === undefined) program.push({ do: 'run', except: '/' })
    else {
      if (run.lead !== '') program.push({ do: 'split', to: program.length + 3 }, { do: 'char', char: run.lead })
      program.push({ do: 'run', except: severalParts && run.lead === '/' ? '' : run.except })
    }
    at = close + 1
  }
  literal(template.slice(at))
  return { prefix: firstBrace === -1 ? template : template.slice(0, firstBrace), program }
}

/** False also when the budget is spent: `budget.steps` is then below zero. */
export function matchesUriTemplate({ prefix, program }: UriTemplate, uri: string, budget: Budget): boolean {
  if (uri.length > MAX_URI_LENGTH || !uri.startsWith(prefix)) return false
  let states = closure(program, [0])
  for (const char of uri) {
    if (states.size === 0) return false
    budget.steps -= states.size
    if (budget.steps < 0) return false
    const next: number[] = []
    for (const at of states) {
      const step = program[at]
      if (step?.do === 'char' && step.char === char) next.push(at + 1)
      else if (step?.do === 'run' && !step.except.includes(char)) next.push(at)
    }
    states = closure(program, next)
  }
  return states.has(program.length)
}

/** The states, and those that they reach without a character. */
function closure(program: readonly Step[], from: readonly number[]): Set<number> {
  const reached = new Set<number>()
  const open = [...from]
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (reached.has(at)) continue
    reached.add(at)
    const step = program[at]
    if (step?.do === 'run') open.push(at + 1)
    else if (step?.do === 'split') open.push(at + 1, step.to)
  }
  return reached
}
