import type { Finding } from './finding'
import { found, MAX_FINDINGS_PER_RULE } from './found'
import type { RuleId } from './guide'

/** What is found about one event. Takes no more than makes the point, so that a hostile list of thousands costs little. */
export class Report {
  constructor(
    private readonly findings: Finding[],
    private readonly seq: number | null,
    private readonly legacy = false,
  ) {}

  /** Nothing more is taken: the rest need not be looked at. */
  get full(): boolean {
    return this.findings.length >= MAX_FINDINGS_PER_RULE
  }

  add(rule: RuleId, message: string): void {
    if (!this.full) this.findings.push(found({ rule, message, seq: this.seq, legacy: this.legacy }))
  }
}
