import { basename } from 'node:path'
import type { ConfigurationProblem } from '../../shared/config/problem'

/** A configuration that cannot be used. `message` is ready to print: one problem a paragraph, with what to do. */
export class ConfigurationError extends Error {
  constructor(
    readonly file: string,
    readonly problems: readonly ConfigurationProblem[],
  ) {
    super(printProblems(file, problems))
    this.name = 'ConfigurationError'
  }
}

function printProblems(file: string, problems: readonly ConfigurationProblem[]): string {
  const count = problems.length === 1 ? '1 problem' : `${problems.length} problems`
  const lines = problems.map(({ path, message, fix, line, column }) => {
    const position = line === undefined ? '' : ` (${basename(file)}:${line}:${column ?? 1})`
    return `  ${path}${position}\n    ${message}\n    → ${fix}`
  })
  return [`${file}: ${count}`, ...lines].join('\n')
}
