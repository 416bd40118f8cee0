import type { CallFormat } from '../capture/call-format'
import type { CallRecord } from '../capture/record'

/** The records of calls as JSON, as the desk shows them: one array, a call an item. */
export function jsonFormat(): CallFormat {
  let empty = true
  return {
    begin(header, about) {
      return `{"capture":${JSON.stringify(header)},"about":${JSON.stringify(about)},"calls":[`
    },
    call(record) {
      const separator = empty ? '\n' : ',\n'
      empty = false
      return separator + jsonOf(record)
    },
    end: () => '\n]}\n',
  }
}

/** Messages that are nested deeper come with their texts only. */
const MAX_LEVELS = 500
const TOO_DEEP = '(nested too deep to stand here; the text of the message has it)'

/** Writing recurses, and reading did not: what could be read need not fit on the stack. */
function jsonOf(record: CallRecord): string {
  try {
    return JSON.stringify(record)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return JSON.stringify(cutDeep(record, MAX_LEVELS))
  }
}

function cutDeep(value: unknown, levels: number): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (levels === 0) return TOO_DEEP
  if (Array.isArray(value)) return value.map((item) => cutDeep(item, levels - 1))
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, cutDeep(item, levels - 1)]))
}
