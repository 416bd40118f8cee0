import { isMark, MARKS } from './annotation'
import { beginsRange, DURATION, PLAIN_NUMBER, readRange, type NumberFormat } from './filter-ranges'
import type { FilterContext, FilterKey } from './filter-types'
import type { CallSummary } from './summary'

export type Test = (summary: CallSummary, context: FilterContext) => boolean

/** A key with the reading of its value: a test, or what is wrong with the value. */
export interface FilterTerm extends FilterKey {
  test(value: string, bodyTexts: Set<string>): Test | string
  /** Whether more typed after a value that is wrong may make it right. */
  begins?(value: string): boolean
}

const beginsOneOf = (values: readonly string[], value: string): boolean =>
  values.some((one) => one.startsWith(value.toLowerCase()))

/** Keys whose value is text: a part of the row's text, in any case; `*` stands for any characters, and then the whole must fit. */
function textTerm(
  key: string,
  hint: string,
  seen: FilterKey['seen'],
  /** Whether one of the texts that the key is about fits. Without a list of them: this runs 100 000 times a keystroke. */
  some: (summary: CallSummary, fits: (text: string) => boolean) => boolean,
): FilterTerm {
  return {
    key,
    hint,
    values: [],
    ...(seen !== undefined && { seen }),
    test(value) {
      const fits = textMatcher(value)
      return (summary) => some(summary, fits)
    },
  }
}

/** `=name` is the whole text, `a*b` a pattern for all of it, anything else a part of it; letters of either case. */
function textMatcher(value: string): (text: string) => boolean {
  const wanted = value.toLowerCase()
  if (wanted.startsWith('=')) {
    const whole = wanted.slice(1)
    return (text) => text.toLowerCase() === whole
  }
  if (!wanted.includes('*')) return remembered((text) => text.toLowerCase().includes(wanted))
  const parts = wanted.split('*')
  return remembered((text) => fitsPattern(text.toLowerCase(), parts))
}

const MAX_REMEMBERED = 10_000

/** Rows repeat the same few names: remembering the answers keeps a filter over 100 000 rows below a keystroke's time. */
export function remembered(test: (text: string) => boolean): (text: string) => boolean {
  const answers = new Map<string, boolean>()
  return (text) => {
    let answer = answers.get(text)
    if (answer === undefined) {
      if (answers.size >= MAX_REMEMBERED) answers.clear()
      answer = test(text)
      answers.set(text, answer)
    }
    return answer
  }
}

/** Matches the parts between stars in order, the first at the beginning and the last at the end; linear, unlike a pattern. */
function fitsPattern(text: string, parts: readonly string[]): boolean {
  const first = parts[0] ?? ''
  const last = parts[parts.length - 1] ?? ''
  if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last)) return false
  let at = first.length
  for (const part of parts.slice(1, -1)) {
    const found = text.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return at <= text.length - last.length
}

/** Keys whose value is one of a few words. */
function choiceTerm(
  key: string,
  hint: string,
  choices: Readonly<Record<string, (summary: CallSummary) => boolean>>,
): FilterTerm {
  const values = Object.keys(choices)
  return {
    key,
    hint,
    values,
    test(value) {
      const wanted = value.toLowerCase()
      const test = Object.hasOwn(choices, wanted) ? choices[wanted] : undefined
      return test ?? `${key}: takes ${values.join(', ')}`
    },
    begins: (value) => beginsOneOf(values, value),
  }
}

/** Keys whose value is a number with a comparison, or a range `from..to`. A row that has no value never matches. */
function rangeTerm(
  key: string,
  hint: string,
  read: (summary: CallSummary, context: FilterContext) => number | null,
  number: NumberFormat = PLAIN_NUMBER,
): FilterTerm {
  return {
    key,
    hint,
    values: [],
    test(value) {
      const range = readRange(value, number)
      if (range === undefined) return `${key}: takes ${hint}`
      return (summary, context) => {
        const actual = read(summary, context)
        return actual !== null && range(actual)
      }
    },
    begins: (value) => beginsRange(value, number),
  }
}

/** How long a call took, or has taken so far. */
function took(summary: CallSummary, context: FilterContext): number {
  return (summary.endedAt ?? Math.max(context.now, summary.receivedAt)) - summary.receivedAt
}

const ERAS: Readonly<Record<string, readonly [CallSummary['era'] | null, CallSummary['backendEra']]>> = {
  'm→m': ['modern', 'modern'],
  'm→l': ['modern', 'legacy'],
  'l→m': ['legacy', 'modern'],
  'l→l': ['legacy', 'legacy'],
}

export const FILTER_TERMS: readonly FilterTerm[] = [
  textTerm('backend', 'name of a backend; = for the whole name, * for any characters', 'backend', (row, fits) =>
    row.backends.some(fits),
  ),
  textTerm(
    'method',
    'JSON-RPC method, for instance tools/*',
    'method',
    (row, fits) => row.method !== null && fits(row.method),
  ),
  textTerm(
    'tool',
    'tool, prompt or URI, as the client or the backend names it; = for the whole name',
    'target',
    (row, fits) =>
      (row.target !== null && fits(row.target)) || (row.upstreamTarget !== null && fits(row.upstreamTarget)),
  ),
  {
    key: 'era',
    hint: 'modern, legacy, or client and backend: m-m, m-l, l-m, l-l',
    values: ['modern', 'legacy', 'm-m', 'm-l', 'l-m', 'l-l'],
    test(value) {
      const wanted = value.toLowerCase()
      if (wanted === 'modern' || wanted === 'legacy') return (row) => row.era === wanted
      const pair = ERAS[wanted.replace(/->|-/, '→')]
      if (pair === undefined) return `era: takes ${this.hint}`
      return (row) => row.era === pair[0] && row.backendEra === pair[1]
    },
    begins(value) {
      return beginsOneOf(this.values, value.replace(/->|→/, '-'))
    },
  },
  choiceTerm('answer', 'the form of the answer', {
    json: (row) => row.answer?.form === 'json',
    sse: (row) => row.answer?.form === 'sse',
    none: (row) => row.answer === null,
  }),
  rangeTerm('status', 'an HTTP status, for instance 200, >=400 or 400..499', (row) => row.answer?.status ?? null),
  choiceTerm('outcome', 'how the call ended', {
    result: (row) => row.outcome === 'result',
    'tool-error': (row) => row.outcome === 'tool-error',
    error: (row) => row.outcome === 'error',
    'input-required': (row) => row.outcome === 'input-required',
    task: (row) => row.outcome === 'task',
    cancelled: (row) => row.outcome === 'cancelled',
    open: (row) => row.outcome === null,
  }),
  rangeTerm('dur', 'a time with its unit, for instance >500ms, <=2s or 1s..5s', took, DURATION),
  rangeTerm('frames', 'a count, for instance >3 or 1..10', (row) => row.frames),
  rangeTerm('ping', 'a count, for instance >0', (row) => row.pings),
  rangeTerm('round', 'a round, for instance >=2', (row) => row.round),
  choiceTerm('has', 'something that happened in the call', {
    progress: (row) => row.progress > 0,
    log: (row) => row.logs > 0,
    input: (row) => row.input,
    finding: (row) => row.findings > 0,
    withheld: (row) => row.withheld > 0,
    error: (row) => row.error !== null,
  }),
  choiceTerm('is', 'what was put on the call', {
    marked: (row) => isMark(row.annotation?.mark),
    pinned: (row) => row.annotation?.pinned === true,
    commented: (row) => typeof row.annotation?.comment === 'string',
  }),
  choiceTerm(
    'mark',
    'the colour of the mark',
    Object.fromEntries(MARKS.map((mark) => [mark, (row) => row.annotation?.mark === mark])),
  ),
  textTerm('comment', 'text of the comment, * for any characters', undefined, (row, fits) => {
    const comment = row.annotation?.comment ?? null
    return comment !== null && fits(comment)
  }),
  choiceTerm('end', 'who ended the call', {
    backend: (row) => row.endedBy === 'backend',
    client: (row) => row.endedBy === 'client',
    gateway: (row) => row.endedBy === 'gateway',
  }),
  {
    key: 'body',
    hint: 'text that occurs in a body of the call, quoted when it has spaces',
    values: [],
    test(value, bodyTexts) {
      const wanted = value.toLowerCase()
      bodyTexts.add(wanted)
      return (row, context) => context.bodyHits.get(wanted)?.has(row.call) ?? false
    },
  },
  {
    key: 'since',
    hint: 'how long ago at most, for instance 10m',
    values: ['1m', '10m', '1h'],
    test(value) {
      const ago = DURATION.read(value)
      if (ago === undefined) return 'since: takes a time with its unit, for instance 30s, 10m or 2h'
      return (row, context) => row.receivedAt >= context.now - ago
    },
    begins: DURATION.begins,
  },
  rangeTerm('at', 'when it began, since the capture began, for instance 10s..25s', (row) => row.receivedAt, DURATION),
  textTerm('client', 'name of the client', 'client', (row, fits) => row.client !== null && fits(row.client)),
  textTerm('endpoint', 'the endpoint, for instance /mcp', 'endpoint', (row, fits) => fits(row.endpoint)),
  rangeTerm('call', 'a number of a call, for instance 12 or 100..200', (row) => row.call),
]
