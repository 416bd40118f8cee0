import type { Filter, FilterContext, FilterKey, FilterProblem, FilterToken } from './filter-types'
import { FILTER_TERMS, remembered, type Test } from './filter-terms'
import type { CallSummary } from './summary'

export type { Filter, FilterContext, FilterKey, FilterProblem, FilterToken }

/** The keys of the grammar, in the order in which completion offers them. */
export const FILTER_KEYS: readonly FilterKey[] = FILTER_TERMS.map(({ key, hint, values, seen }) => ({
  key,
  hint,
  values,
  ...(seen !== undefined && { seen }),
}))

const TERMS = new Map(FILTER_TERMS.map((term) => [term.key, term]))

/** Longest filter that is read. */
export const MAX_FILTER_LENGTH = 2_000

/**
 * Reads a filter. Grammar:
 *
 *     filter  = group *( "OR" group )          a row matches when one group matches
 *     group   = 1*term                         a group matches when all its terms match
 *     term    = ["-"] ( key ":" value | word )
 *     value   = quoted | 1*non-space           quotes: "…", with \" and \\ inside
 *
 * A word without key matches method, target and backend; so does an address with a scheme that is no key
 * (`booking://terms`). Never throws: what cannot be read is a problem, and its term
 * is left out, so that a half-typed filter shows what the rest of it finds.
 */
export function parseFilter(text: string): Filter {
  const reader = new FilterReader(text.slice(0, MAX_FILTER_LENGTH))
  if (text.length > MAX_FILTER_LENGTH) {
    reader.problem(
      MAX_FILTER_LENGTH,
      text.length,
      `only the first ${MAX_FILTER_LENGTH} characters of a filter are read`,
    )
  }
  reader.read()
  const groups = reader.groups.filter((group) => group.length > 0)
  return {
    ok: reader.problems.length === 0,
    problems: reader.problems,
    tokens: reader.tokens,
    bodyTexts: [...reader.bodyTexts],
    matches: (summary, context) => groups.length === 0 || someGroup(groups, summary, context),
  }
}

/** Plain loops: this runs 100 000 times a keystroke. */
function someGroup(groups: readonly Test[][], summary: CallSummary, context: FilterContext): boolean {
  groups: for (const group of groups) {
    for (const test of group) if (!test(summary, context)) continue groups
    return true
  }
  return false
}

class FilterReader {
  readonly problems: FilterProblem[] = []
  readonly tokens: FilterToken[] = []
  readonly bodyTexts = new Set<string>()
  readonly groups: Test[][] = [[]]
  private at = 0
  /** Where an `OR` stands that still waits for a term after it. */
  private openOr: { from: number; to: number } | null = null
  private termsInGroup = 0

  constructor(private readonly text: string) {}

  problem(from: number, to: number, message: string, openTo: number | null = null): void {
    this.problems.push({ from, to, message, openTo })
    this.tokens.push({ from, to, kind: 'problem' })
  }

  read(): void {
    for (;;) {
      this.skipSpace()
      if (this.at >= this.text.length) break
      this.term()
    }
    if (this.openOr === null) return
    this.problem(this.openOr.from, this.openOr.to, 'OR needs a term after it', this.text.length)
  }

  private term(): void {
    const from = this.at
    const word = /^OR(?=\s|$)/.exec(this.text.slice(from, from + 3))
    if (word !== null) {
      this.at += 2
      if (this.termsInGroup === 0) return this.problem(from, from + 2, 'OR needs a term before it')
      this.tokens.push({ from, to: from + 2, kind: 'operator' })
      this.openOr = { from, to: from + 2 }
      this.groups.push([])
      this.termsInGroup = 0
      return
    }
    this.openOr = null
    this.termsInGroup++
    const negated = this.text[from] === '-'
    if (negated) {
      this.tokens.push({ from, to: from + 1, kind: 'negation' })
      this.at++
    }
    const key = /^[A-Za-z]+(?=:)/.exec(this.text.slice(this.at, this.at + 20))?.[0]
    if (key === undefined || this.isAddress(key)) this.freeWord(from, negated)
    else this.keyed(key, negated)
  }

  /** `booking://terms` is an address that was pasted; `body://x` still has a key. */
  private isAddress(scheme: string): boolean {
    return !TERMS.has(scheme.toLowerCase()) && this.text.startsWith('://', this.at + scheme.length)
  }

  private freeWord(from: number, negated: boolean): void {
    const start = this.at
    const value = this.value()
    if (value === undefined) return
    if (value === '') {
      return this.problem(from, this.at, 'nothing to look for', this.at === start ? this.at : null)
    }
    this.tokens.push({ from: start, to: this.at, kind: 'word' })
    const word = value.toLowerCase()
    const contains = remembered((text) => text.toLowerCase().includes(word))
    this.add(negated, (summary) => wordMatches(summary, contains))
  }

  private keyed(key: string, negated: boolean): void {
    const from = this.at
    const valueFrom = from + key.length + 1
    this.at = valueFrom
    const term = TERMS.get(key.toLowerCase())
    if (term === undefined) {
      this.value()
      const known = FILTER_TERMS.map((one) => one.key).join(', ')
      return this.problem(from, this.at, `there is no key "${key}"; keys are ${known}; quote a word with a colon in it`)
    }
    this.tokens.push({ from, to: valueFrom, kind: 'key' })
    const value = this.value()
    if (value === undefined) return
    if (value === '') {
      const openTo = this.at === valueFrom ? this.at : null
      return this.problem(from, this.at, `${term.key}: needs a value; ${term.hint}`, openTo)
    }
    const test = term.test(value, this.bodyTexts)
    if (typeof test === 'string') {
      const quoted = this.text[valueFrom] === '"'
      return this.problem(valueFrom, this.at, test, !quoted && term.begins?.(value) === true ? this.at : null)
    }
    this.tokens.push({ from: valueFrom, to: this.at, kind: 'value' })
    this.add(negated, test)
  }

  private add(negated: boolean, test: Test): void {
    const positive = test
    this.groups[this.groups.length - 1]?.push(
      negated ? (summary: CallSummary, context: FilterContext) => !positive(summary, context) : positive,
    )
  }

  /** Reads a value at `at`; undefined (and a problem) when its quote does not end. */
  private value(): string | undefined {
    const from = this.at
    if (this.text[from] !== '"') {
      const end = /\s|$/.exec(this.text.slice(from))
      this.at = from + (end?.index ?? 0)
      return this.text.slice(from, this.at)
    }
    let value = ''
    for (let at = from + 1; at < this.text.length; at++) {
      const char = this.text[at] ?? ''
      if (char === '"') {
        this.at = at + 1
        return value
      }
      const next = this.text[at + 1]
      if (char === '\\' && (next === '"' || next === '\\')) {
        value += next
        at++
      } else value += char
    }
    this.at = this.text.length
    this.problem(from, this.at, 'the quote does not end', this.at)
    return undefined
  }

  private skipSpace(): void {
    while (this.at < this.text.length && /\s/.test(this.text[this.at] ?? '')) this.at++
  }
}

function wordMatches(summary: CallSummary, contains: (text: string) => boolean): boolean {
  return (
    (summary.method !== null && contains(summary.method)) ||
    (summary.target !== null && contains(summary.target)) ||
    (summary.upstreamTarget !== null && contains(summary.upstreamTarget)) ||
    summary.backends.some(contains)
  )
}
