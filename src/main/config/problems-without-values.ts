import type { ConfigurationProblem } from '../../shared/config/problem'
import type { KeptValue } from './kept-values'

/** A part of a value that is not to be seen, of as many characters, gives something of it away. */
const LEAST_PART = 4

/**
 * The problems of an entry as the desk may see them. `masked`: those of the same entry with marks in place of its kept
 * values, which can say nothing of the values.
 */
export function problemsWithoutValues(
  problems: readonly ConfigurationProblem[],
  masked: readonly ConfigurationProblem[],
  kept: readonly KeptValue[],
): ConfigurationProblem[] {
  const longestFirst = [...kept].sort((a, b) => b.text.length - a.text.length)
  const withMarks = (text: string): string =>
    longestFirst.reduce((whole, { text: value, mark }) => whole.replaceAll(value, mark), text)
  return problems.map((problem) => {
    const { path, message, fix } = problem
    if (masked.some((one) => one.path === path && one.message === message && one.fix === fix)) return problem
    const marked = { ...problem, message: withMarks(message), fix: withMarks(fix) }
    const words = `${marked.message}\n${marked.fix}`.replace(/«kept \d+»/g, '\n')
    if (!kept.some(({ text }) => givesAway(words, text))) return marked
    return {
      ...problem,
      message: 'has a value that is not shown here, and that cannot be used there',
      fix: 'write another value, or correct it in the file',
    }
  })
}

function givesAway(words: string, value: string): boolean {
  for (let start = 0; start + LEAST_PART <= value.length; start++) {
    if (words.includes(value.slice(start, start + LEAST_PART))) return true
  }
  return false
}
