import type { Finding } from './finding'
import { GUIDE, type RuleId } from './guide'
import type { GuideEntry } from './guide/entry'

/** A stream of ten thousand bad frames makes its point with the first of them. */
export const MAX_FINDINGS_PER_RULE = 50

interface Found {
  rule: RuleId
  message: string
  /** The event that it is about; null when it is not here. */
  seq: number | null
  /** The peer speaks an older revision: the section is that of `legacySpec`. */
  legacy?: boolean
  /** Where it is less bad in this call than the guide says. */
  severity?: 'warning'
}

/** A finding with what the guide says of its rule. */
export function found({ rule, message, seq, legacy = false, severity }: Found): Finding {
  const entry: GuideEntry = GUIDE[rule]
  return {
    rule,
    severity: severity ?? entry.severity,
    leg: entry.leg,
    message,
    spec: (legacy ? entry.legacySpec : undefined) ?? entry.spec,
    ...(seq !== null && { seq }),
  }
}
