import { isObject, type JsonObject, type JsonValue } from '../../../shared/protocol/json-rpc'
import { declaresTasks } from '../tasks'

/** What a client wants to hear of (`params.notifications` of `subscriptions/listen`), without what is false. */
export type Filter = Readonly<Record<string, JsonValue>>

/** The member of the filter that a notification needs (basic/patterns/subscriptions; SEP-2663 for tasks). */
export const MEMBER_OF: ReadonlyMap<string, string> = new Map([
  ['notifications/tools/list_changed', 'toolsListChanged'],
  ['notifications/prompts/list_changed', 'promptsListChanged'],
  ['notifications/resources/list_changed', 'resourcesListChanged'],
  ['notifications/resources/updated', 'resourceSubscriptions'],
  ['notifications/tasks', 'taskIds'],
])

/** Members of the filter that are lists of texts; the others are true or false. */
const LISTS: ReadonlySet<string> = new Set(['resourceSubscriptions', 'taskIds'])
/** Members that ask for changes of a list. */
export const LIST_MEMBERS: ReadonlySet<string> = new Set([
  'toolsListChanged',
  'promptsListChanged',
  'resourcesListChanged',
])

/** The filter, or what is wrong with it, in words. Members that are not known are kept: backends may know them. */
export function readFilter(
  notifications: JsonValue | undefined,
): { filter: Filter; fault?: undefined } | { fault: string } {
  if (!isObject(notifications)) return { fault: '"notifications" must be an object that says what to subscribe to' }
  const members: [string, JsonValue][] = []
  for (const [member, value] of Object.entries(notifications)) {
    if (LISTS.has(member) && !isTexts(value)) return { fault: `"notifications.${member}" must be an array of strings` }
    if (LIST_MEMBERS.has(member) && typeof value !== 'boolean')
      return { fault: `"notifications.${member}" must be true or false` }
    const isNothing = value === undefined || value === null || value === false || (isTexts(value) && value.length === 0)
    if (!isNothing) members.push([member, value])
  }
  return { filter: Object.fromEntries(members) }
}

/** What of `asked` at least one backend honours, in the order in which it was asked. */
export function unionOf(asked: Filter, honoured: readonly Filter[]): Filter {
  const members = Object.entries(asked).flatMap(([member, value]): [string, JsonValue][] => {
    const answers = honoured.map((one) => (Object.hasOwn(one, member) ? one[member] : undefined))
    if (isTexts(value)) {
      const given = new Set(answers.flatMap((answer) => (isTexts(answer) ? answer : [])))
      const texts = value.filter((text) => given.has(text))
      return texts.length > 0 ? [[member, texts]] : []
    }
    const isHonoured = answers.some((answer) => answer !== undefined && answer !== false && answer !== null)
    return isHonoured ? [[member, value]] : []
  })
  return Object.fromEntries(members)
}

/**
 * What a backend that has not answered yet will honour once it does: by the capabilities that it last declared, or all
 * of it when it was never seen. The one acknowledgement cannot wait for it, and must not promise too little.
 */
export function expectedOf(asked: Filter, discovered: JsonObject | undefined): Filter {
  const capabilities = isObject(discovered?.capabilities) ? discovered.capabilities : undefined
  if (capabilities === undefined) return asked
  const has = (capability: string, flag: string): boolean => {
    const declared = capabilities[capability]
    return isObject(declared) && declared[flag] === true
  }
  const declared: Record<string, boolean> = {
    toolsListChanged: has('tools', 'listChanged'),
    promptsListChanged: has('prompts', 'listChanged'),
    resourcesListChanged: has('resources', 'listChanged'),
    resourceSubscriptions: has('resources', 'subscribe'),
    taskIds: declaresTasks(capabilities),
  }
  return Object.fromEntries(Object.entries(asked).filter(([member]) => declared[member] === true))
}

export function isTexts(value: JsonValue | undefined): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}
