import type { Outcome, Results } from './suite'

export interface Difference {
  check: string
  direct?: Outcome
  gateway?: Outcome
}

export interface ScenarioComparison {
  scenario: string
  direct: Count
  gateway: Count
  /** The scenario passes directly and does not pass through the gateway. */
  lost: boolean
  /** Checks that do not have the same status on both ways. */
  differences: Difference[]
}

export interface Count {
  passed: number
  failed: number
}

/**
 * Compares two runs scenario by scenario and check by check. A scenario that one run lacks counts as empty there. Of the
 * scenarios in `inapplicable` the suite need only find no fault, in a run that it did: they look at something that may be
 * otherwise behind the gateway.
 */
export function compare(
  direct: Results,
  gateway: Results,
  inapplicable: ReadonlySet<string> = new Set(),
): ScenarioComparison[] {
  const scenarios = [...new Set([...direct.keys(), ...gateway.keys()])].sort()
  return scenarios.map((scenario) => {
    const before = direct.get(scenario) ?? new Map<string, Outcome>()
    const after = gateway.get(scenario) ?? new Map<string, Outcome>()
    const checks = [...new Set([...before.keys(), ...after.keys()])]
    const differences = checks
      .filter((check) => before.get(check)?.status !== after.get(check)?.status)
      .map((check) => ({ check, direct: before.get(check), gateway: after.get(check) }))
    return {
      scenario,
      direct: count(before),
      gateway: count(after),
      lost:
        passes(before) &&
        !(inapplicable.has(scenario)
          ? faultless(after)
          : passes(after) &&
            [...before].every(([check, { status }]) => status !== 'SUCCESS' || after.get(check)?.status === 'SUCCESS')),
      differences,
    }
  })
}

function count(outcomes: ReadonlyMap<string, Outcome>): Count {
  const statuses = [...outcomes.values()].map((outcome) => outcome.status)
  return {
    passed: statuses.filter((status) => status === 'SUCCESS').length,
    failed: statuses.filter((status) => status === 'FAILURE').length,
  }
}

function passes(outcomes: ReadonlyMap<string, Outcome>): boolean {
  return outcomes.size > 0 && count(outcomes).failed === 0
}

function faultless(outcomes: ReadonlyMap<string, Outcome>): boolean {
  return outcomes.size > 0 && [...outcomes.values()].every(({ status }) => status === 'SUCCESS' || status === 'INFO')
}
