import { isObject, type JsonObject, type JsonValue } from '../protocol/json-rpc'
import { shown } from './facts'
import type { Report } from './report'
import { isRedacted, mayBeObject, objectsIn } from './shapes'

const FORMATS: ReadonlySet<unknown> = new Set(['email', 'uri', 'date', 'date-time'])

/** A form is a flat object of plain fields, so that every client can draw it (client/elicitation, "Requested Schema"). */
export function checkElicitationSchema(schema: JsonValue | undefined, at: string, report: Report): void {
  if (isRedacted(schema)) return
  if (!isObject(schema) || schema.type !== 'object' || !mayBeObject(schema.properties)) {
    report.add('elicitation-schema-invalid', `${at} must be an object schema with properties.`)
    return
  }
  if (!isObject(schema.properties)) return
  for (const [name, field] of Object.entries(schema.properties)) {
    if (report.full) return
    if (isRedacted(field)) continue
    const fault = isObject(field) ? faultOf(field) : `is ${shown(field)}`
    if (fault !== undefined) report.add('elicitation-schema-invalid', `The field ${shown(name)} of ${at} ${fault}.`)
  }
}

function faultOf(field: JsonObject): string | undefined {
  const { type, format, items } = field
  switch (type) {
    case 'string':
      return format === undefined || FORMATS.has(format) || isRedacted(format)
        ? undefined
        : `has the format ${shown(format)}; forms know email, uri, date and date-time`
    case 'number':
    case 'integer':
    case 'boolean':
      return undefined
    case 'array': {
      const choices =
        isObject(items) &&
        (Array.isArray(items.enum) || objectsIn(items.anyOf).length > 0 || objectsIn(items.oneOf).length > 0)
      return choices || isRedacted(items) ? undefined : 'is a list of what is no choice; only enum and anyOf can be'
    }
    default:
      return isRedacted(type)
        ? undefined
        : `has the type ${shown(type)}; a form has strings, numbers, booleans and choices only`
  }
}
