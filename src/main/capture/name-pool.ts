import type { CallSummary } from '../../shared/capture/summary'

const MAX_NAMES = 10_000

/** Names repeat in every row; one copy of each is kept in memory. */
export class NamePool {
  private readonly names = new Map<string, string>()

  /** Puts the shared copies in the place of a row's own. */
  share(row: CallSummary): void {
    row.endpoint = this.one(row.endpoint)
    if (row.method !== null) row.method = this.one(row.method)
    if (row.target !== null) row.target = this.one(row.target)
    if (row.client !== null) row.client = this.one(row.client)
    if (row.backend !== null) row.backend = this.one(row.backend)
    if (row.upstreamTarget !== null) row.upstreamTarget = this.one(row.upstreamTarget)
  }

  private one(text: string): string {
    const known = this.names.get(text)
    if (known !== undefined) return known
    if (this.names.size >= MAX_NAMES) this.names.clear()
    this.names.set(text, text)
    return text
  }
}
