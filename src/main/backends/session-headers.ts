import type { HeaderList } from '../../shared/capture/events'
import { isProtocolHeader } from './protocol-headers'

/** The client's fields that make a session one's own: credentials and the like, not what mirrors one call's arguments. */
export function sessionHeaders(passed: HeaderList): HeaderList {
  return passed.filter(([name]) => {
    const field = name.toLowerCase()
    return !isProtocolHeader(field) && !field.startsWith('mcp-param-') && field !== 'via'
  })
}

/** The way that a message came: never that of a whole session. */
export function viaOf(passed: HeaderList): HeaderList {
  return passed.filter(([name]) => name.toLowerCase() === 'via')
}

/** `over` in place of the fields of the same names in `base`. */
export function mergedHeaders(base: HeaderList, over: HeaderList): HeaderList {
  if (over.length === 0) return base
  const replaced = new Set(over.map(([name]) => name.toLowerCase()))
  return [...base.filter(([name]) => !replaced.has(name.toLowerCase())), ...over]
}

/** The same for lists of fields that mean the same session. */
export function sessionKey(passed: HeaderList): string {
  const fields = sessionHeaders(passed).map(([name, value]) => JSON.stringify([name.toLowerCase(), value]))
  return fields.sort().join()
}
