import { PromptSchema, ResourceSchema, ResourceTemplateSchema, ToolSchema } from '@modelcontextprotocol/core'
import { z } from 'zod'
import { isObject, type JsonValue } from '../../../shared/protocol/json-rpc'
import { memberOf, objectMembers } from '../../../shared/protocol/json-text'
import { parameterAnnotations, type ParameterAnnotation } from '../../../shared/protocol/parameter-headers'
import type { ListKind } from './contract'
import { headerAnnotationFault } from '../../../shared/protocol/header-annotations'
import { parseUriTemplate, type UriTemplate } from './uri-template'

/** One tool, prompt, resource or template of one backend's list. */
export interface ListEntry {
  /** Its own name, URI or URI template. */
  name: string
  /** Its raw JSON, and where the value of its name stands in it. Absent once the list may not be offered again as it is. */
  source?: { text: string; nameStart: number; nameEnd: number }
  title?: string
  description?: string
  /** Why a client could not take it, in words. */
  fault?: string
  template?: UriTemplate
  /** Arguments of a tool that travel in header fields too, when there are any. */
  mirrored?: ParameterAnnotation[]
}

interface Kind {
  method: string
  /** The member of the result that has the entries. */
  member: string
  /** The member of an entry that identifies it. */
  key: 'name' | 'uri' | 'uriTemplate'
  schema: z.ZodType
}

/**
 * What clients can read. One entry that breaks the schema makes the published client reject the whole list, all other
 * backends' entries included. Properties of the input schema are not looked at: their depth is the backend's choice.
 */
const Tool = ToolSchema.extend({
  inputSchema: z.looseObject({
    type: z.literal('object'),
    properties: z.record(z.string(), z.unknown()).optional(),
    required: z.array(z.string()).optional(),
  }),
})

export const KINDS: Readonly<Record<ListKind, Kind>> = {
  tools: { method: 'tools/list', member: 'tools', key: 'name', schema: Tool },
  prompts: { method: 'prompts/list', member: 'prompts', key: 'name', schema: PromptSchema },
  resources: { method: 'resources/list', member: 'resources', key: 'uri', schema: ResourceSchema },
  resourceTemplates: {
    method: 'resources/templates/list',
    member: 'resourceTemplates',
    key: 'uriTemplate',
    schema: ResourceTemplateSchema,
  },
}
export const LIST_KINDS = Object.keys(KINDS) as ListKind[]

/** Reads one entry; undefined when nothing identifies it. `text.slice(start, end)` is its raw JSON, `value` the same parsed. */
export function readEntry(kind: ListKind, value: JsonValue | undefined, text: string): ListEntry | undefined {
  const { key, schema } = KINDS[kind]
  if (!isObject(value)) return undefined
  const name = value[key]
  const nameMember = memberOf(objectMembers(text), key)
  if (typeof name !== 'string' || nameMember === undefined) return undefined
  const entry: ListEntry = { name, source: { text, nameStart: nameMember.start, nameEnd: nameMember.end } }
  if (typeof value.title === 'string') entry.title = value.title
  if (typeof value.description === 'string') entry.description = value.description
  const checked = schema.safeParse(value)
  const issue = checked.success ? undefined : checked.error.issues[0]
  if (issue !== undefined)
    entry.fault = `breaks the schema of the protocol at "${issue.path.join('.').slice(0, 100)}": ${issue.message}`
  else if (kind === 'tools') {
    const fault = headerAnnotationFault(value.inputSchema)
    const mirrored = fault === undefined ? parameterAnnotations(value.inputSchema) : []
    if (fault !== undefined) entry.fault = fault
    if (mirrored.length > 0) entry.mirrored = mirrored
  } else if (kind === 'resourceTemplates') {
    const template = parseUriTemplate(name)
    if ('fault' in template) entry.fault = template.fault
    else entry.template = template
  }
  return entry
}
