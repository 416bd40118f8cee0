import { isObject, type JsonObject, type JsonValue } from '../protocol/json-rpc'
import { META } from '../protocol/meta'
import { checkBlock, checkContents } from './content-blocks'
import { completeResult, methodAsked, shown } from './facts'
import type { Finding, JudgedCall } from './finding'
import { Report } from './report'
import { isRedacted, mayBeList, mayBeObject, mayBeText } from './shapes'

/** Results of prompts/get, resources/read, completion/complete and server/discover have their members (schema). */
export function featureResults(call: JudgedCall): Finding[] {
  const findings: Finding[] = []
  for (const exchange of call.exchanges) {
    const check = CHECKS.get(methodAsked(call, exchange))
    const ended = check === undefined ? undefined : completeResult(call, exchange)
    if (ended !== undefined) check?.(ended.result, new Report(findings, ended.seq, ended.legacy))
  }
  return findings
}

const CHECKS: ReadonlyMap<string | undefined, (result: JsonObject, report: Report) => void> = new Map([
  ['prompts/get', checkPrompt],
  ['resources/read', checkResource],
  ['completion/complete', checkCompletion],
  ['server/discover', checkDiscovery],
])

function checkPrompt({ messages }: JsonObject, report: Report): void {
  if (!mayBeList(messages)) {
    report.add('prompt-messages-invalid', `The result has ${shown(messages)} as messages; it must be a list.`)
  }
  for (const [index, message] of entriesOf(messages)) {
    if (report.full) return
    const at = `messages[${index}]`
    if (!isObject(message)) {
      if (!isRedacted(message))
        report.add('prompt-messages-invalid', `${at} is ${shown(message)}; it must be an object.`)
      continue
    }
    const { role, content } = message
    if (role !== 'user' && role !== 'assistant' && !isRedacted(role)) {
      report.add('prompt-messages-invalid', `${at} has the role ${shown(role)}; it must be "user" or "assistant".`)
    }
    checkBlock(content, `${at}.content`, report)
  }
}

function checkResource({ contents }: JsonObject, report: Report): void {
  if (!mayBeList(contents)) {
    report.add('resource-contents-invalid', `The result has ${shown(contents)} as contents; it must be a list.`)
  }
  for (const [index, one] of entriesOf(contents)) {
    if (report.full) return
    const at = `contents[${index}]`
    if (isObject(one)) checkContents(one, at, 'resource-contents-invalid', report)
    else if (!isRedacted(one)) report.add('resource-contents-invalid', `${at} is ${shown(one)}; it must be an object.`)
  }
}

/** "Maximum 100 items per response" (server/utilities/completion). */
const MAX_COMPLETIONS = 100

function checkCompletion({ completion }: JsonObject, report: Report): void {
  if (isRedacted(completion)) return
  if (!isObject(completion) || !mayBeList(completion.values)) {
    report.add('completion-invalid', 'The result has no completion with a list of values.')
    return
  }
  const { values, total, hasMore } = completion
  if (Array.isArray(values)) {
    const other = values.find((value) => !mayBeText(value))
    if (other !== undefined) report.add('completion-invalid', `A value is ${shown(other)}; all must be strings.`)
    if (values.length > MAX_COMPLETIONS) {
      report.add(
        'completion-too-many',
        `The result has ${values.length} values; more than ${MAX_COMPLETIONS} are not allowed.`,
      )
    }
  }
  if (total !== undefined && typeof total !== 'number')
    report.add('completion-invalid', `total is ${shown(total)}; it must be a number.`)
  if (hasMore !== undefined && typeof hasMore !== 'boolean') {
    report.add('completion-invalid', `hasMore is ${shown(hasMore)}; it must be true or false.`)
  }
}

function checkDiscovery({ supportedVersions, capabilities, _meta, serverInfo }: JsonObject, report: Report): void {
  const versions =
    Array.isArray(supportedVersions) && supportedVersions.length > 0 && supportedVersions.every(mayBeText)
  if (!versions && !isRedacted(supportedVersions)) {
    report.add('discover-versions-invalid', 'The result has no list of version names as supportedVersions.')
  }
  if (!mayBeObject(capabilities)) {
    report.add(
      'discover-capabilities-missing',
      `The result has ${shown(capabilities)} as capabilities; it must be an object.`,
    )
  }
  if (isRedacted(_meta) || (isObject(_meta) && mayBeObject(_meta[META.serverInfo]))) return
  const moved = serverInfo === undefined ? '' : '; the member serverInfo has no meaning in this revision'
  report.add('server-info-missing', `_meta does not say which server this is${moved}.`)
}

function entriesOf(value: JsonValue | undefined): Iterable<[number, JsonValue]> {
  return Array.isArray(value) ? value.entries() : []
}
