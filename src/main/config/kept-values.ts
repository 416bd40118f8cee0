import { mergeEdits } from '../../shared/capture/merge-edits'
import { redactionRules } from '../../shared/capture/redaction-rules'
import { valueEdits } from '../../shared/capture/secret-values'
import { wordEdits } from '../../shared/capture/secret-words'
import { configurationProblem, type ConfigurationProblem } from '../../shared/config/problem'
import { isObject, type JsonObject, type JsonValue } from '../../shared/protocol/json-rpc'

/** Something that the desk does not get to see: a mark stands for it, and is put back when the entry comes from there. */
interface KeptValue {
  mark: string
  text: string
  /** The member of the entry that it stands in: a header's value must not turn up in a URL, which is shown. */
  member: string
}

/** The entry of a backend as the desk may see it. */
export interface MaskedEntry {
  entry: JsonObject
  kept: readonly KeptValue[]
}

/** Values of these are never shown, whatever their names. */
const HIDDEN_MEMBERS: ReadonlySet<string> = new Set(['headers', 'env'])
/** Names of members, and of options of a command line, that have secrets. */
const SECRET_NAME = /token|secret|passw|passphrase|api-?_?key|credential|auth|cookie|private/i
const REFERENCE = /(\$\{(?:secret:|env:|input:)?[A-Za-z_][\w.-]*(?::-)?)([^{}]*)\}/g
/** The scheme of an authorization says how one authenticates, and nothing secret. */
const SCHEME = /^(?:Basic|Bearer|Digest|DPoP|Negotiate|Token|ApiKey) +/i
const MARK = /«kept \d+»/g
/** Too short, or too common, to be a secret. */
const HARMLESS = /^(?:.{0,3}|true|false)$/is

const RULES = redactionRules()

/**
 * Puts marks (`«kept 1»`) in place of secrets that stand in the entry in plain text: in the values of header fields and
 * environment variables, in arguments and members whose names say so, in URLs with credentials. References to variables
 * and secrets stay as they are. `spellings`: texts that are secret wherever they stand.
 */
export function maskEntry(entry: JsonObject, spellings: readonly string[]): MaskedEntry {
  const kept: KeptValue[] = []
  const masked = Object.fromEntries(
    Object.entries(entry).map(([member, value]): [string, JsonValue | undefined] => {
      const keep = (text: string): string => {
        const mark = `«kept ${kept.length + 1}»`
        kept.push({ mark, text, member })
        return mark
      }
      const hidden = HIDDEN_MEMBERS.has(member) || SECRET_NAME.test(member)
      if (member === 'args' && Array.isArray(value)) return [member, maskArguments(value, spellings, keep)]
      return [member, maskValue(value, hidden, spellings, keep)]
    }),
  )
  return { entry: masked, kept }
}

type Keep = (text: string) => string

function maskValue(
  value: JsonValue | undefined,
  hidden: boolean,
  spellings: readonly string[],
  keep: Keep,
): JsonValue | undefined {
  if (typeof value === 'string') return hidden ? maskWhole(value, keep) : maskWords(value, spellings, keep)
  if (Array.isArray(value)) return value.map((one) => maskValue(one, hidden, spellings, keep) ?? null)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, maskValue(one, hidden || SECRET_NAME.test(key), spellings, keep)]),
  )
}

/** As command lines are shown: the value of `--token`, `--token=…` and `TOKEN=…` is a secret. */
function maskArguments(args: readonly JsonValue[], spellings: readonly string[], keep: Keep): JsonValue[] {
  let secretNext = false
  return args.map((argument) => {
    if (typeof argument !== 'string') return maskValue(argument, false, spellings, keep) ?? null
    const isSecret = secretNext && !argument.startsWith('-')
    const assigned = /^(-{0,2}[A-Za-z0-9_.-]+=)(.*)$/s.exec(argument)
    secretNext = argument.startsWith('-') && assigned === null && SECRET_NAME.test(argument)
    if (isSecret) return maskWhole(argument, keep)
    const [, name = '', value = ''] = assigned ?? []
    return SECRET_NAME.test(name) ? name + maskWhole(value, keep) : maskWords(argument, spellings, keep)
  })
}

/** All of it but what refers to something that is kept elsewhere. */
function maskWhole(text: string, keep: Keep): string {
  const scheme = SCHEME.exec(text)?.[0] ?? ''
  let masked = scheme
  let from = scheme.length
  const literal = (to: number): void => {
    const part = text.slice(from, to)
    masked += HARMLESS.test(part.trim()) ? part : keep(part)
  }
  for (const match of text.matchAll(REFERENCE)) {
    if (match.index < from) continue
    literal(match.index)
    const [, before = '', value = ''] = match
    masked += before + (HARMLESS.test(value) ? value : keep(value)) + '}'
    from = match.index + match[0].length
  }
  literal(text.length)
  return masked
}

/** What looks like a secret in a text that is none as a whole. Text that looks like a mark is kept, too. */
function maskWords(text: string, spellings: readonly string[], keep: Keep): string {
  const marks = [...text.matchAll(MARK)].map(({ index, 0: mark }) => ({
    start: index,
    end: index + mark.length,
    text: '',
  }))
  const edits = mergeEdits(mergeEdits(marks, valueEdits(text, spellings)), wordEdits(text, RULES))
  let masked = ''
  let from = 0
  for (const { start, end } of edits) {
    masked += text.slice(from, start) + maskWhole(text.slice(start, end), keep)
    from = end
  }
  return masked + text.slice(from)
}

/** The entry with the kept values where their marks are; a mark that stands for nothing there is a problem. */
export function unmaskEntry(
  entry: JsonObject,
  kept: readonly KeptValue[],
  at: readonly string[],
): { entry: JsonObject; problems: ConfigurationProblem[] } {
  const problems: ConfigurationProblem[] = []
  const unmask = (value: JsonValue, path: (string | number)[], member: string): JsonValue => {
    if (typeof value === 'string')
      return value.replace(MARK, (mark) => {
        const found = kept.find((one) => one.mark === mark)
        if (found?.member === member) return found.text
        const message =
          found === undefined
            ? `has ${mark}, which stands for no kept value`
            : `has ${mark}, which stands for a value of "${found.member}"`
        problems.push(configurationProblem([...at, ...path], message, 'write the value itself'))
        return mark
      })
    if (Array.isArray(value)) return value.map((one, index) => unmask(one, [...path, index], member))
    if (!isObject(value)) return value
    const members = Object.entries(value).map(([key, one]) => [
      key,
      one === undefined ? undefined : unmask(one, [...path, key], member),
    ])
    return Object.fromEntries(members) as JsonObject
  }
  const members = Object.entries(entry).map(([member, value]) => [
    member,
    value === undefined ? undefined : unmask(value, [member], member),
  ])
  return { entry: Object.fromEntries(members) as JsonObject, problems }
}
