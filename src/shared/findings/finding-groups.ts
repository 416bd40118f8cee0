import { MAX_GROUP_CALLS, type FoundGroup } from '../api/findings'
import type { CallSummary } from '../capture/summary'

/** Places are named by servers and clients, so there may be any number. */
const MAX_GROUPS = 1_000

/** Findings of many calls by rule and place. Calls come in, the newest first. */
export class FindingGroups {
  private readonly groups = new Map<string, FoundGroup>()

  add(row: Pick<CallSummary, 'call' | 'backend' | 'target'>, findings: readonly { rule: string }[]): void {
    const { call, backend, target } = row
    const counted = new Set<FoundGroup>()
    for (const { rule } of findings) {
      const key = JSON.stringify([rule, backend, target])
      let group = this.groups.get(key)
      if (group === undefined) {
        if (this.groups.size >= MAX_GROUPS) continue
        this.groups.set(key, (group = { rule, backend, target, findings: 0, callCount: 0, calls: [] }))
      }
      group.findings++
      if (counted.has(group)) continue
      counted.add(group)
      group.callCount++
      if (group.calls.length < MAX_GROUP_CALLS) group.calls.push(call)
    }
  }

  all(): FoundGroup[] {
    return [...this.groups.values()]
  }
}
