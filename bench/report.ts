import type { Measured } from './scenarios'

const VARIANTS = ['direct', 'pass-through', 'gateway', 'gateway, aggregated'] as const
export type Variant = (typeof VARIANTS)[number]

export interface Run extends Measured {
  /** CPU time of the process in the middle, warm-up included. */
  cpuSeconds?: number
}

export interface Row {
  scenario: string
  connections: number
  runs: Partial<Record<Variant, Run[]>>
}

export interface Report {
  at: string
  machine: { cpu: string; cores: number; memoryGb: number; system: string }
  /** Load average of a minute, before and after. */
  load: { before: number; after: number }
  node: string
  rounds: number
  rows: Row[]
}

export interface Verdict {
  target: string
  found: string
  met: boolean
}

/** The three targets, on `/mcp/<backend>` and on the aggregated endpoint alike. */
export function judge(report: Report): Verdict[] {
  const verdicts: Verdict[] = []
  for (const variant of ['gateway', 'gateway, aggregated'] as const) {
    for (const row of report.rows) {
      if (row.scenario === 'small JSON' && row.connections === 32) {
        const found = ratio(row, variant)
        verdicts.push({
          target: `${variant}: at least 0.45 of the pass-through at 32 connections`,
          found: found.toFixed(2),
          met: found >= 0.45,
        })
      }
      if (row.scenario === 'small JSON' && row.connections === 1) {
        const found = added(row, variant, 'p50')
        verdicts.push({
          target: `${variant}: at most 0.4 ms added to direct (p50) at one connection`,
          found: `${found.toFixed(3)} ms`,
          met: found <= 0.4,
        })
      }
      if (row.scenario.startsWith('SSE')) {
        const found = added(row, variant, 'frameP50')
        verdicts.push({
          target: `${variant}: at most 0.2 ms added to an SSE frame (p50)`,
          found: `${found.toFixed(3)} ms`,
          met: found <= 0.2,
        })
      }
    }
  }
  return verdicts
}

export function sentence({ target, found, met }: Verdict): string {
  return `${met ? 'met' : 'MISSED'}: ${target}: ${found}`
}

/** The page with everything between its two marks replaced. */
export function withResults(page: string, results: string, of: 'relay' | 'desk' | 'desktop' = 'relay'): string {
  const name = of === 'relay' ? 'results' : `results of the ${of}`
  const marks = new RegExp(`(<!-- ${name} -->\\n)[^]*(<!-- end of ${name} -->)`)
  return page.replace(marks, (_, begin: string, end: string) => `${begin}\n${results}\n${end}`)
}

/** The table of bench/README.md. */
export function markdown(report: Report): string {
  const { machine } = report
  const lines = [
    `${report.at.slice(0, 10)}, ${machine.cpu}, ${machine.cores} cores, ${machine.memoryGb} GB, ${machine.system}, Node ${report.node}; medians of ${report.rounds} rounds; load average ${report.load.before.toFixed(1)} before, ${report.load.after.toFixed(1)} after.`,
    '',
    '| scenario | connections | variant | calls/s | ratio | p50 ms | p99 ms | added p50 | added p99 | frame p50 | added/frame | CPU µs/call |',
    '|---|---|---|---|---|---|---|---|---|---|---|---|',
  ]
  for (const row of report.rows) {
    for (const variant of VARIANTS) {
      const value = (key: keyof Run): number => of(row, variant, key)
      const more = (key: keyof Run): string => (variant === 'direct' ? '' : fixed(added(row, variant, key), 3))
      const quotient = variant === 'direct' ? '' : fixed(ratio(row, variant), 2)
      lines.push(
        `| ${[
          row.scenario,
          row.connections,
          variant,
          fixed(value('callsPerSecond'), 0),
          quotient,
          fixed(value('p50'), 3),
          fixed(value('p99'), 3),
          more('p50'),
          more('p99'),
          fixed(value('frameP50'), 3),
          more('frameP50'),
          cpuPerCall(row, variant),
        ].join(' | ')} |`,
      )
    }
  }
  return `${lines.join('\n')}\n`
}

function of(row: Row, variant: Variant, key: keyof Run): number {
  const values = (row.runs[variant] ?? []).map((run) => run[key] ?? Number.NaN)
  return median(values)
}

/** Median over the rounds of the quotient to the pass-through in the same round. */
function ratio(row: Row, variant: Variant): number {
  const base = row.runs['pass-through'] ?? []
  return median(
    (row.runs[variant] ?? []).map((run, at) => run.callsPerSecond / (base[at]?.callsPerSecond ?? Number.NaN)),
  )
}

/** Median over the rounds of the difference to direct in the same round. */
function added(row: Row, variant: Variant, key: keyof Run): number {
  const base = row.runs.direct ?? []
  return median((row.runs[variant] ?? []).map((run, at) => (run[key] ?? Number.NaN) - (base[at]?.[key] ?? Number.NaN)))
}

function cpuPerCall(row: Row, variant: Variant): string {
  const runs = row.runs[variant] ?? []
  return fixed(median(runs.map((run) => ((run.cpuSeconds ?? Number.NaN) * 1e6) / run.allCalls)), 0)
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2
}

function fixed(value: number, digits: number): string {
  return Number.isNaN(value) ? '' : value.toFixed(digits)
}
