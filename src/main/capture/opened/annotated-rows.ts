import type { CallSummary } from '../../../shared/capture/summary'
import type { CallRows } from '../capture-view'
import type { Annotations } from './annotations-file'

/** The rows of an opened capture with what stands beside it put on them. */
export class AnnotatedRows implements CallRows {
  constructor(
    private readonly rows: CallRows,
    private readonly annotations: Annotations,
  ) {}

  get size(): number {
    return this.rows.size
  }

  get(call: number): CallSummary | undefined {
    const row = this.rows.get(call)
    return row === undefined ? undefined : this.annotated(row)
  }

  list(after: number, limit: number): { calls: CallSummary[]; more: boolean } {
    const { calls, more } = this.rows.list(after, limit)
    return { calls: this.annotations.size === 0 ? calls : calls.map((row) => this.annotated(row)), more }
  }

  operation(operation: string): number[] {
    return this.rows.operation(operation)
  }

  private annotated(row: CallSummary): CallSummary {
    const annotation = this.annotations.get(row.call)
    return annotation === undefined ? row : { ...row, annotation }
  }
}
