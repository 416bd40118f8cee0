import type { CallFormat } from '../capture/call-format'

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
      return separator + JSON.stringify(record)
    },
    end: () => '\n]}\n',
  }
}
