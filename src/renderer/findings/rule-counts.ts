import { MAX_GROUP_CALLS, type FoundGroup } from '../../shared/api/findings'
import { isSuppressed, type Suppression } from './suppression'

/** What one rule found. */
export interface RuleCount {
  /** By place, those of most findings first. */
  shown: FoundGroup[]
  /** What the user hid. */
  hidden: FoundGroup[]
  /** Findings that are not hidden. */
  findings: number
}

export function countRules(
  groups: readonly FoundGroup[],
  suppressed: readonly Suppression[],
): ReadonlyMap<string, RuleCount> {
  const counts = new Map<string, RuleCount>()
  for (const group of groups) {
    let count = counts.get(group.rule)
    if (count === undefined) counts.set(group.rule, (count = { shown: [], hidden: [], findings: 0 }))
    if (isSuppressed(group.rule, group, suppressed)) count.hidden.push(group)
    else {
      count.shown.push(group)
      count.findings += group.findings
    }
  }
  for (const { shown } of counts.values()) shown.sort((one, other) => other.findings - one.findings)
  return counts
}

/** The filter that shows these calls, the newest of them. */
export function filterFor(calls: readonly number[]): string {
  const newest = [...new Set(calls)].sort((one, other) => other - one).slice(0, MAX_GROUP_CALLS)
  return newest.map((call) => `call:${call}`).join(' OR ')
}
