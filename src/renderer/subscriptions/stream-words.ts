import type { StreamSummary } from '../../shared/capture/summary'

const MEMBERS: Record<string, string> = {
  toolsListChanged: 'tools',
  promptsListChanged: 'prompts',
  resourcesListChanged: 'resources',
  resourceSubscriptions: 'single resources',
}

/** What a stream is for, in words: lists whose changes it announces, and how many single resources. */
export function honouredWords(stream: StreamSummary): string {
  if (stream.kind === 'session') return 'all that its backends announce'
  if (stream.honoured === null) return 'not acknowledged yet'
  return membersWords(stream.honoured, stream.uriCount)
}

/** Members that were asked for and not acknowledged; none before there is an acknowledgement. */
export function refusedMembers({ asked, honoured }: StreamSummary): string[] {
  return honoured === null ? [] : asked.filter((member) => !honoured.includes(member)).map(memberWord)
}

function membersWords(members: readonly string[], uriCount: number): string {
  if (members.length === 0) return 'nothing'
  return members
    .map((member) =>
      member === 'resourceSubscriptions'
        ? `${uriCount} ${uriCount === 1 ? 'resource' : 'resources'}`
        : memberWord(member),
    )
    .join(', ')
}

function memberWord(member: string): string {
  return Object.hasOwn(MEMBERS, member) ? (MEMBERS[member] ?? member) : member
}

/** What flowed, the most frequent first: `tools/list_changed × 3`. */
export function flowedWords({ flowed }: StreamSummary): string[] {
  return Object.entries(flowed)
    .sort(([, one], [, other]) => other - one)
    .map(([method, count]) => `${method.replace(/^notifications\//, '')} × ${count}`)
}
