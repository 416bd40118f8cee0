/** What was found by one rule at one place. */
export interface FoundGroup {
  rule: string
  backend: string | null
  /** Tool, prompt or URI as clients name it; null when the method has none. */
  target: string | null
  findings: number
  /** In so many calls. */
  callCount: number
  /** The newest of them, at most `MAX_GROUP_CALLS`, the newest first. */
  calls: number[]
}

export const MAX_GROUP_CALLS = 50

/** The command that counts findings. */
export interface FindingsCommands {
  /** Findings of the newest calls that have any, by rule and place. `judged`: how many calls; `left`: older ones that were not looked at. */
  'findings.list': {
    request: { capture?: string }
    response: { groups: FoundGroup[]; judged: number; left: number }
  }
}
