import type { Filter, FilterProblem } from '../../shared/capture/filter-types'

export interface FilterProblems {
  /** What is wrong, the first of it. */
  wrong: FilterProblem | undefined
  /** What is being typed and lacks the rest. */
  begun: FilterProblem | undefined
}

/**
 * What is said of a filter. Where the caret stands in something that more typing may make right, that is only begun.
 * `caret`: null while nobody types.
 */
export function problemsOf(filter: Filter | null, caret: number | null): FilterProblems {
  const isBegun = ({ from, openTo }: FilterProblem) =>
    caret !== null && openTo !== null && caret >= from && caret <= openTo
  return {
    wrong: filter?.problems.find((problem) => !isBegun(problem)),
    begun: filter?.problems.find(isBegun),
  }
}
