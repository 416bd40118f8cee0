import { groupNameOf } from '../../shared/capture/statistics'
import type { CallSummary } from '../../shared/capture/summary'
import { methodWords } from './method-words'

/** By what the rows of the table can be put together. */
export const TABLE_GROUPINGS = ['operation', 'backend', 'client', 'tool'] as const
export type TableGrouping = (typeof TABLE_GROUPINGS)[number]

export function isTableGrouping(value: unknown): value is TableGrouping {
  return typeof value === 'string' && (TABLE_GROUPINGS as readonly string[]).includes(value)
}

/** What a group row says. Texts are those of clients and servers: hostile. */
export interface CallGroup {
  /** Its row, below zero. */
  row: number
  by: TableGrouping
  /** What its calls have in common; null for those that have none of it. */
  name: string | null
  /** More to tell it by: the backend of a tool, the method. */
  detail: string | null
  calls: number
  /** Ended with an error of any leg, or a tool's own. */
  errors: number
  /** Still in flight. */
  open: number
  /** Median of those that ended, in microseconds; null while none has. */
  p50: number | null
  expanded: boolean
}

export interface GroupName {
  /** The same for all calls of the group, and for no others. */
  key: string
  name: string | null
  detail: string | null
}

/** The group that a call belongs to. */
export function groupOf(call: CallSummary, by: TableGrouping): GroupName {
  switch (by) {
    case 'operation':
      return operationOf(call)
    case 'tool': {
      const name = groupNameOf(call, 'tool')
      const method = methodWords(call)
      const more = [call.backend, name === null || method === 'tools/call' ? null : method].filter(isText)
      return {
        key: `${name ?? ''}\n${call.backend ?? ''}\n${method ?? ''}\n${name === null}`,
        name: name ?? method,
        detail: more.length === 0 ? null : more.join(' · '),
      }
    }
    case 'backend':
    case 'client': {
      const name = groupNameOf(call, by)
      return { key: `${name ?? ''}\n${name === null}`, name, detail: null }
    }
  }
}

function operationOf(call: CallSummary): GroupName {
  const method = methodWords(call)
  return {
    key: call.operation ?? `#${call.call}`,
    name: call.target ?? method,
    detail: call.target === null ? null : method,
  }
}

function isText(text: string | null): text is string {
  return text !== null
}

/** How a group without a name is called. */
export const NAMELESS: Readonly<Record<TableGrouping, string>> = {
  operation: 'unknown request',
  backend: 'answered by Sluice',
  client: 'client without a name',
  tool: 'unknown request',
}
