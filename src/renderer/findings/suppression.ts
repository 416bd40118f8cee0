import { isRuleId } from '../../shared/findings/guide'

/** Findings that the user does not want to see: of a rule, everywhere or where a backend or a tool is named. */
export interface Suppression {
  rule: string
  /** Null for every backend. */
  backend: string | null
  /** Tool, prompt or URI as the client names it; null for all. */
  target: string | null
}

/** Where a finding was made. */
export interface FindingPlace {
  backend: string | null
  target: string | null
}

/** More are not remembered. */
export const MAX_SUPPRESSIONS = 500

export function isSuppressed(rule: string, place: FindingPlace, suppressed: readonly Suppression[]): boolean {
  return suppressed.some((one) => covers(one, rule, place))
}

/** Adds one, and takes out what it makes needless. */
export function withSuppression(suppressed: readonly Suppression[], added: Suppression): Suppression[] {
  const others = suppressed.filter((one) => !covers(added, one.rule, one))
  return [...others, added].slice(-MAX_SUPPRESSIONS)
}

export function withoutSuppression(suppressed: readonly Suppression[], removed: Suppression): Suppression[] {
  return suppressed.filter((one) => !isSame(one, removed))
}

/** In words: where findings of the rule are hidden. */
export function describeSuppression({ backend, target }: Suppression): string {
  if (target !== null) return backend === null ? `for ${target}` : `for ${target} of ${backend}`
  return backend === null ? 'everywhere' : `for ${backend}`
}

/** Takes from a stored text what reads as it should. */
export function readSuppressions(stored: unknown): Suppression[] {
  if (!Array.isArray(stored)) return []
  const read: Suppression[] = []
  for (const one of stored.slice(-MAX_SUPPRESSIONS) as unknown[]) {
    if (typeof one !== 'object' || one === null) continue
    const { rule, backend = null, target = null } = one as Record<string, unknown>
    if (typeof rule === 'string' && isRuleId(rule) && isName(backend) && isName(target))
      read.push({ rule, backend, target })
  }
  return read
}

function covers(one: Suppression, rule: string, { backend, target }: FindingPlace): boolean {
  return (
    one.rule === rule &&
    (one.backend === null || one.backend === backend) &&
    (one.target === null || one.target === target)
  )
}

function isSame(one: Suppression, other: Suppression): boolean {
  return one.rule === other.rule && one.backend === other.backend && one.target === other.target
}

function isName(value: unknown): value is string | null {
  return value === null || (typeof value === 'string' && value.length <= 4_096)
}
