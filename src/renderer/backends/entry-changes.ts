import { isObject, type JsonObject, type JsonValue } from '../../shared/protocol/json-rpc'

/** One member of an entry that is another one than before. */
export interface EntryChange {
  /** For instance `env.API_KEY`. */
  member: string
  /** As JSON; null: was not there. */
  before: string | null
  /** As JSON; null: is taken out. */
  after: string | null
}

/** What will be written, member by member; in objects such as `env` and lists that stay as long, each of theirs. */
export function entryChanges(before: JsonObject, after: JsonObject, within = ''): EntryChange[] {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return keys.flatMap((key): EntryChange[] => {
    const one = Object.hasOwn(before, key) ? before[key] : undefined
    const other = Object.hasOwn(after, key) ? after[key] : undefined
    const member = within + key
    if (printed(one) === printed(other)) return []
    if (within === '' && isObject(one) && isObject(other)) return entryChanges(one, other, `${key}.`)
    if (Array.isArray(one) && Array.isArray(other) && one.length === other.length)
      return one.flatMap((item, index) => {
        const [was, is] = [printed(item), printed(other[index])]
        return was === is ? [] : [{ member: `${member}.${index + 1}`, before: was, after: is }]
      })
    return [{ member, before: printed(one), after: printed(other) }]
  })
}

function printed(value: JsonValue | undefined): string | null {
  return value === undefined ? null : JSON.stringify(value)
}

/** Members that decide what is started. */
const STARTED: ReadonlySet<string> = new Set(['type', 'command', 'args', 'env', 'cwd', 'instances', 'disabled'])

/** Whether writing these starts a program with words that it was not started with before. */
export function startsAnew(changes: readonly EntryChange[]): boolean {
  return changes.some(({ member }) => STARTED.has(member.split('.')[0] ?? ''))
}
