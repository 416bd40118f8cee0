import { headerAnnotationFault } from '../protocol/header-annotations'
import { isObject, type JsonObject, type JsonValue } from '../protocol/json-rpc'
import { completeResult, methodAsked, shown } from './facts'
import type { Finding, JudgedCall } from './finding'
import { Report } from './report'
import { isRedacted, mayBeList, mayBeObject, mayBeText } from './shapes'

interface List {
  /** Member of the result that holds the entries. */
  member: string
  /** Members of each entry that must be strings; the first is what it is known by. */
  texts: readonly [string, ...string[]]
  /** Two entries may not be known by the same. */
  unique: boolean
}

const LISTS: ReadonlyMap<string | undefined, List> = new Map([
  ['tools/list', { member: 'tools', texts: ['name'], unique: true }],
  ['prompts/list', { member: 'prompts', texts: ['name'], unique: true }],
  ['resources/list', { member: 'resources', texts: ['uri', 'name'], unique: false }],
  ['resources/templates/list', { member: 'resourceTemplates', texts: ['uriTemplate', 'name'], unique: false }],
])

/** What servers offer, page by page (server/tools, server/prompts, server/resources, server/utilities/pagination). */
export function lists(call: JudgedCall): Finding[] {
  const findings: Finding[] = []
  for (const exchange of call.exchanges) {
    const list = LISTS.get(methodAsked(call, exchange))
    if (list === undefined) continue
    const ended = completeResult(call, exchange)
    if (ended === undefined) continue
    const { result, seq, legacy } = ended
    const report = new Report(findings, seq, legacy)
    const { nextCursor } = result
    if (nextCursor !== undefined && !mayBeText(nextCursor)) {
      report.add('next-cursor-no-string', `nextCursor is ${shown(nextCursor)}; leave it out on the last page.`)
    }
    const entries = result[list.member]
    if (!mayBeList(entries)) {
      report.add('list-missing', `The result has ${shown(entries)} as ${list.member}; it must be a list.`)
    }
    if (Array.isArray(entries)) checkEntries(entries, list, legacy, report)
  }
  return findings
}

function checkEntries(entries: readonly JsonValue[], list: List, legacy: boolean, report: Report): void {
  const { member, texts, unique } = list
  const seen = new Set<string>()
  for (let index = 0; index < entries.length && !report.full; index++) {
    const entry = entries[index]
    const at = `${member}[${index}]`
    if (isRedacted(entry)) continue
    if (!isObject(entry)) {
      report.add('list-entry-invalid', `${at} is ${shown(entry)}; it must be an object.`)
      continue
    }
    for (const text of texts) {
      if (!mayBeText(entry[text]))
        report.add('list-entry-invalid', `${at}.${text} is ${shown(entry[text])}; it must be a string.`)
    }
    const known = entry[texts[0]]
    if (unique && typeof known === 'string' && !isRedacted(known)) {
      if (seen.has(known)) report.add('list-entry-duplicate', `${shown(known)} is twice in the list.`)
      seen.add(known)
    }
    if (member === 'tools') checkTool(entry, at, legacy, report)
  }
}

const TOOL_NAME = /^[A-Za-z0-9_.-]{1,128}$/

function checkTool(tool: JsonObject, at: string, legacy: boolean, report: Report): void {
  const { name, inputSchema, outputSchema } = tool
  const called = typeof name === 'string' ? shown(name) : at
  if (typeof name === 'string' && !isRedacted(name) && !TOOL_NAME.test(name)) {
    report.add(
      'tool-name-unusual',
      `The tool ${called} has a name of other characters than A–Z a–z 0–9 _ . -, or of more than 128.`,
    )
  }
  if (!mayBeObject(inputSchema)) {
    report.add(
      'tool-input-schema-invalid',
      `The tool ${called} has ${shown(inputSchema)} as inputSchema; it must be an object.`,
    )
  } else if (isObject(inputSchema) && inputSchema.type !== 'object' && !isRedacted(inputSchema.type)) {
    report.add(
      'tool-input-schema-invalid',
      `The inputSchema of ${called} has the type ${shown(inputSchema.type)}; it must be "object".`,
    )
  }
  if (outputSchema !== undefined && !mayBeObject(outputSchema)) {
    report.add(
      'tool-output-schema-invalid',
      `The tool ${called} has ${shown(outputSchema)} as outputSchema; it must be an object.`,
    )
  } else if (legacy && isObject(outputSchema) && outputSchema.type !== 'object' && !isRedacted(outputSchema.type)) {
    report.add(
      'tool-output-schema-invalid',
      `The outputSchema of ${called} has the type ${shown(outputSchema.type)}; it must be "object".`,
    )
  }
  const fault = legacy ? undefined : headerAnnotationFault(inputSchema)
  if (fault !== undefined)
    report.add('tool-header-annotation-invalid', `The tool ${called} cannot be called over HTTP: ${fault}.`)
}
