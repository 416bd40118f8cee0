import { z } from 'zod'
import type { CommandError } from '../../shared/api/contract'
import { ConfigurationError } from '../config/configuration-error'

/** A command that cannot be done, with what to do about it. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure'

  constructor(
    readonly code: CommandError['code'],
    message: string,
    readonly hint: string,
  ) {
    super(message)
  }
}

/** Any failure as the desk shows it. */
export function toCommandError(error: unknown): CommandError {
  if (error instanceof CommandFailure) return { code: error.code, message: error.message, hint: error.hint }
  if (error instanceof z.ZodError) {
    const issue = error.issues[0]
    const path = issue?.path.map(String).join('.') ?? ''
    const message = issue?.message ?? 'not readable'
    return { code: 'invalid-request', message: path === '' ? message : `${path}: ${message}` }
  }
  if (error instanceof ConfigurationError) {
    const [problem] = error.problems
    const place = problem?.at.length === 0 ? error.file : problem?.path
    return {
      code: 'failed',
      message: problem === undefined ? error.message : `${place} ${problem.message}`,
      hint: problem?.fix ?? `look at ${error.file}`,
      problems: error.problems.map(({ at, message, fix }) => ({ at: [...at], message, fix })),
    }
  }
  return { code: 'failed', message: error instanceof Error ? error.message : String(error) }
}
