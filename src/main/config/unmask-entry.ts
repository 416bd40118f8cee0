import { configurationProblem, type ConfigurationProblem } from '../../shared/config/problem'
import { isObject, type JsonObject, type JsonValue } from '../../shared/protocol/json-rpc'
import { MARK, maskEntry, type KeptValue } from './kept-values'

type Report = (path: readonly (string | number)[], message: string, fix: string) => void

/**
 * The entry with the kept values where their marks are. A mark that stands for nothing there is a problem, and so is one
 * whose value would be shown when the entry is read again: behind an option of another name, or as the name of a variable.
 */
export function unmaskEntry(
  entry: JsonObject,
  kept: readonly KeptValue[],
  at: readonly string[],
  spellings: readonly string[],
): { entry: JsonObject; problems: ConfigurationProblem[] } {
  const problems: ConfigurationProblem[] = []
  const report: Report = (path, message, fix) => {
    problems.push(configurationProblem([...at, ...path], message, fix))
  }
  const unmasked = mapMembers(entry, (value, member) => putBack(value, [member], kept, member, report))
  if (problems.length === 0) {
    const again = maskEntry(unmasked, spellings)
    findShown({ value: entry, kept }, { value: again.entry, kept: again.kept }, [], report)
  }
  return { entry: unmasked, problems }
}

function putBack(
  value: JsonValue,
  path: (string | number)[],
  kept: readonly KeptValue[],
  member: string,
  report: Report,
): JsonValue {
  if (typeof value === 'string') {
    const whole = kept.find((one) => one.mark === value)
    if (whole?.number !== undefined && whole.member === member) return whole.number
    return value.replace(MARK, (mark) => {
      const found = kept.find((one) => one.mark === mark)
      if (found?.member === member) return found.text
      const what = found === undefined ? 'no kept value' : `a value of "${found.member}"`
      report(path, `has ${mark}, which stands for ${what}`, 'write the value itself')
      return mark
    })
  }
  if (Array.isArray(value)) return value.map((one, index) => putBack(one, [...path, index], kept, member, report))
  if (!isObject(value)) return value
  return mapMembers(value, (one, key) => putBack(one, [...path, key], kept, member, report))
}

function mapMembers(value: JsonObject, map: (value: JsonValue, key: string) => JsonValue): JsonObject {
  const members = Object.entries(value).map(([key, one]) => [key, one === undefined ? undefined : map(one, key)])
  return Object.fromEntries(members) as JsonObject
}

/** A value with marks, and what they stand for. */
interface Marked {
  value: JsonValue | undefined
  kept: readonly KeptValue[]
}

/** Reports marks of `given` whose values are not within one of `again`, the same entry as it will be read. */
function findShown(given: Marked, again: Marked, path: readonly (string | number)[], report: Report): void {
  const { value } = given
  if (typeof value === 'string') {
    const hidden = spansOf(again)
    for (const { start, end, mark } of spansOf(given)) {
      if (hidden.some((span) => span.start <= start && end <= span.end)) continue
      const fix = 'leave it behind a name that says that it is a secret, or write the value itself'
      report(path, `has ${mark} where its value would be shown`, fix)
    }
  } else if (Array.isArray(value)) {
    value.forEach((one, index) => {
      const other = Array.isArray(again.value) ? again.value[index] : undefined
      findShown({ ...given, value: one }, { ...again, value: other }, [...path, index], report)
    })
  } else if (isObject(value)) {
    for (const [key, one] of Object.entries(value)) {
      const other = isObject(again.value) && Object.hasOwn(again.value, key) ? again.value[key] : undefined
      findShown({ ...given, value: one }, { ...again, value: other }, [...path, key], report)
    }
  }
}

/** Where the marks' values stand in the text that the marks were put back into. */
function spansOf({ value, kept }: Marked): { start: number; end: number; mark: string }[] {
  if (typeof value !== 'string') return []
  let longer = 0
  return [...value.matchAll(MARK)].map(({ index, 0: mark }) => {
    const length = kept.find((one) => one.mark === mark)?.text.length ?? mark.length
    const start = index + longer
    longer += length - mark.length
    return { start, end: start + length, mark }
  })
}
