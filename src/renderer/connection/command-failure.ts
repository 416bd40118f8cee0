import type { CommandError } from '../../shared/api/contract'

/** A command that failed, as a thrown thing: `message` says what happened, `hint` what to do. */
export class CommandFailure extends Error {
  readonly code: CommandError['code']
  readonly hint: string | undefined
  readonly problems: CommandError['problems']

  constructor(error: CommandError) {
    super(error.message)
    this.name = 'CommandFailure'
    this.code = error.code
    this.hint = error.hint
    this.problems = error.problems
  }
}

const CODES: readonly string[] = [
  'invalid-request',
  'not-found',
  'failed',
  'unauthorized',
] satisfies CommandError['code'][]

/** Whatever a carrier rejects with, as the contract's error: `CommandError` objects keep their code and hint. */
export function toCommandError(reason: unknown): CommandError {
  if (isCommandError(reason)) {
    const error: CommandError = { code: reason.code, message: reason.message }
    if (reason.hint !== undefined) error.hint = reason.hint
    if (reason.problems !== undefined) error.problems = reason.problems
    return error
  }
  if (reason instanceof Error) return { code: 'failed', message: reason.message }
  return { code: 'failed', message: String(reason) }
}

function isCommandError(value: unknown): value is CommandError {
  if (typeof value !== 'object' || value === null || !('code' in value) || !('message' in value)) return false
  return typeof value.code === 'string' && CODES.includes(value.code) && typeof value.message === 'string'
}
