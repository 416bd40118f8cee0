import { mergeEdits } from '../../shared/capture/merge-edits'
import { redactionRules } from '../../shared/capture/redaction-rules'
import { valueEdits } from '../../shared/capture/secret-values'
import { wordEdits } from '../../shared/capture/secret-words'
import { argumentSecrets, SCHEME } from '../../shared/config/secret-arguments'
import { isSecretName, namedSecretEdits } from '../../shared/config/secret-names'
import { tokenEdits } from '../../shared/config/secret-shape'
import { isObject, type JsonObject, type JsonValue } from '../../shared/protocol/json-rpc'

/** Something that the desk does not get to see: a mark stands for it, and is put back when the entry comes from there. */
export interface KeptValue {
  mark: string
  text: string
  /** Of a number. */
  number?: number
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
/** Texts in these are names of tools and of header fields: what they are called makes nothing of them a secret. */
const PLAIN_MEMBERS: ReadonlySet<string> = new Set(['rename', 'passHeaders', 'include', 'exclude'])
/** Files and folders have names of any kind. */
const PLACE_MEMBERS: ReadonlySet<string> = new Set(['command', 'cwd', 'file'])
const REFERENCE = /(\$\{(?:secret:|env:|input:)?[A-Za-z_][\w.-]*(?::-)?)((?<=:-)[^{}]*|)\}/g
export const MARK = /«kept \d+»/g
/** Too short, or too common, to be a secret. */
const HARMLESS = /^(?:.{0,3}|true|false)$/is

const RULES = redactionRules()

/**
 * Puts marks (`«kept 1»`) in place of secrets that stand in the entry in plain text: in the values of header fields and
 * environment variables, in arguments, parameters of URLs and members whose names say so, in URLs with credentials; and
 * words that look like tokens, but in paths.
 * References to variables and secrets stay as they are. `spellings`: texts that are secret wherever they stand.
 */
export function maskEntry(entry: JsonObject, spellings: readonly string[]): MaskedEntry {
  const kept: KeptValue[] = []
  const masked = Object.fromEntries(
    Object.entries(entry).map(([member, value]): [string, JsonValue | undefined] => {
      const keep = (text: string, number?: number): string => {
        const mark = `«kept ${kept.length + 1}»`
        kept.push({ mark, text, member, ...(number === undefined ? {} : { number }) })
        return mark
      }
      const hidden = HIDDEN_MEMBERS.has(member) || (!PLAIN_MEMBERS.has(member) && isSecretName(member))
      const byName = !PLAIN_MEMBERS.has(member)
      const hide: Hide = { spellings, keep, byName, byShape: byName && !PLACE_MEMBERS.has(member) }
      if (member === 'args' && Array.isArray(value)) return [member, maskArguments(entry.command, value, hide)]
      return [member, maskValue(value, hidden, hide)]
    }),
  )
  return { entry: masked, kept }
}

type Keep = (text: string, number?: number) => string

interface Hide {
  spellings: readonly string[]
  keep: Keep
  /** Values are secrets where the names of their members say so. */
  byName: boolean
  /** Words that look like tokens are secrets. */
  byShape: boolean
}

function maskValue(value: JsonValue | undefined, hidden: boolean, hide: Hide): JsonValue | undefined {
  if (typeof value === 'string') return hidden ? maskWhole(value, hide.keep) : maskWords(value, hide)
  if (typeof value === 'number') {
    const text = String(value)
    const secret = hidden ? !HARMLESS.test(text) : hide.spellings.includes(text)
    return secret ? hide.keep(text, value) : value
  }
  if (Array.isArray(value)) return value.map((one) => maskValue(one, hidden, hide) ?? null)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [
      key,
      maskValue(one, hidden || (hide.byName && isSecretName(key)), hide),
    ]),
  )
}

function maskArguments(command: JsonValue | undefined, args: readonly JsonValue[], hide: Hide): JsonValue[] {
  const secrets = argumentSecrets(command, args)
  return args.map((argument, index) => {
    const from = secrets[index] ?? null
    if (typeof argument !== 'string' || from === null) return maskValue(argument, from !== null, hide) ?? null
    return argument.slice(0, from) + maskWhole(argument.slice(from), hide.keep)
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
function maskWords(text: string, { spellings, keep, byName, byShape }: Hide): string {
  const marks = [...text.matchAll(MARK)].map(({ index, 0: mark }) => ({
    start: index,
    end: index + mark.length,
    text: '',
  }))
  const named = byName ? [...namedSecretEdits(text), ...wordEdits(text, RULES)] : []
  const shaped = byShape ? tokenEdits(text) : []
  const edits = mergeEdits(mergeEdits(marks, valueEdits(text, spellings)), mergeEdits(named, shaped))
  let masked = ''
  let from = 0
  for (const { start, end } of edits) {
    masked += text.slice(from, start) + maskWhole(text.slice(start, end), keep)
    from = end
  }
  return masked + text.slice(from)
}
