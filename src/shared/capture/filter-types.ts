import type { CallSummary } from './summary'

/** What a filter needs beside a row. */
export interface FilterContext {
  /** Microseconds since the capture began, now. */
  now: number
  /** Calls in whose bodies a text occurs, by text as it stands in `Filter.bodyTexts`; a text not yet searched is missing. */
  bodyHits: ReadonlyMap<string, ReadonlySet<number>>
}

/** A stretch of the filter's text, for colouring. Positions in UTF-16 code units; `to` is exclusive. */
export interface FilterToken {
  from: number
  to: number
  kind: 'negation' | 'key' | 'value' | 'word' | 'operator' | 'problem'
}

/** What is wrong with a stretch of the filter's text. */
export interface FilterProblem {
  from: number
  to: number
  message: string
  /** As long as somebody types no further than up to here, the rest may still come; null: more does not make it right. */
  openTo: number | null
}

export interface Filter {
  /** False when there are problems; terms with problems are left out of `matches`. */
  ok: boolean
  problems: FilterProblem[]
  tokens: FilterToken[]
  /** The texts to search for in bodies (`calls.search`), lower case, without duplicates. */
  bodyTexts: string[]
  /** True for every row when the filter is empty. */
  matches(summary: CallSummary, context: FilterContext): boolean
}

/** A key of the grammar, with what completion needs. */
export interface FilterKey {
  key: string
  /** One line for the list of completions. */
  hint: string
  /** Fixed values; empty for free text and ranges. */
  values: readonly string[]
  /** Which member of a row gives the values that were seen, for keys completed from the capture. */
  seen?: 'backend' | 'method' | 'target' | 'client' | 'endpoint'
}
