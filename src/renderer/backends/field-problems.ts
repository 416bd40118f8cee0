import type { CommandError, FieldProblem } from '../../shared/api/contract'
import { visibleString } from '../text/visible-text'

/** What main found wrong with an entry, by the fields of a form. */
export interface FieldProblems {
  /** Of a member and what is in it, in words; null when nothing is. */
  of(member: string): string | null
  /** What no field of the form is about, `member` of which are `fields`. */
  others(fields: readonly string[]): FieldProblem[]
}

/** `error` is that of a command that was given an entry: its paths begin with where that stands in the file. */
export function fieldProblems(error: CommandError | null): FieldProblems {
  const problems = error?.problems ?? []
  return {
    of(member) {
      const found = problems.filter(({ at }) => at[2] === member)
      if (found.length === 0) return null
      return found.map((one) => wordsOf(one)).join(' ')
    },
    others: (fields) => problems.filter(({ at }) => at.length < 3 || !fields.includes(String(at[2]))),
  }
}

/** For instance `"X-Key" is not a header field name: rename or remove it.` */
function wordsOf({ at, message, fix }: FieldProblem): string {
  const inside = at.slice(3).map((key) => (typeof key === 'number' ? `No. ${key + 1}` : `"${key}"`))
  const subject = inside.length === 0 ? 'It' : inside.join(' in ')
  return visibleString(`${subject} ${message}: ${sentence(fix)}`)
}

/** The same with the member, for a list of all. */
export function problemWords({ at, message, fix }: FieldProblem): string {
  const where = at.slice(2).map(String).join('.')
  const subject = where !== '' ? where : at.length < 2 ? 'The file' : 'The entry'
  return visibleString(`${subject} ${message}: ${sentence(fix)}`)
}

function sentence(text: string): string {
  return /[.?!]$/.test(text) ? text : `${text}.`
}
