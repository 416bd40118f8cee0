import { ErrorCode } from '../../../shared/protocol/errors'
import { isObject, type JsonObject } from '../../../shared/protocol/json-rpc'
import { memberOf, objectMembers } from '../../../shared/protocol/json-text'
import { META } from '../../../shared/protocol/meta'
import { EditedText } from '../edited-text'
import type { UpstreamMessage } from '../upstream-message'

/** Results that must carry cache hints (server/utilities/caching). */
const CACHEABLE: ReadonlySet<string> = new Set([
  'tools/list',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
])
/** Legacy codes that modern servers must not send (basic/index "Error codes"). */
const RESOURCE_NOT_FOUND = -32002
const URL_ELICITATION_REQUIRED = -32042

/**
 * A legacy backend's response as a modern client needs it: `resultType`, cache hints (nothing is known: 0, private) and
 * `serverInfo` added, -32002 turned into -32602. Everything else stays byte for byte.
 */
export function modernResult(
  text: string,
  request: { idRaw: string; method: string },
  serverInfo: { name: string; version?: string } | undefined,
  read: UpstreamMessage & { kind: 'response' },
): EditedText {
  const edited = new EditedText(text)
  const top = objectMembers(text) ?? []
  const ids = top.filter((member) => member.key === 'id')
  for (const id of ids) edited.replace('id', '/id', id, request.idRaw)
  if (ids.length === 0) edited.insert('id', '/id', text.indexOf('{'), 'id', request.idRaw)
  if (read.error !== undefined) {
    const error = memberOf(top, 'error')
    const code = error && memberOf(objectMembers(text, error.start), 'code')
    const now = modernCode(read.error.code)
    if (code !== undefined && now !== undefined) edited.replace('era', '/error/code', code, String(now))
    return edited
  }
  const result = memberOf(top, 'result')
  if (result === undefined || read.result === undefined) return edited
  const missing = missingMembers(read.result, request.method, serverInfo)
  const meta = memberOf(objectMembers(text, result.start), '_meta')
  if (
    serverInfo !== undefined &&
    meta !== undefined &&
    isObject(read.result._meta) &&
    read.result._meta[META.serverInfo] === undefined
  ) {
    edited.insertAll('era', '/result/_meta', meta.start, [[META.serverInfo, JSON.stringify(serverInfo)]])
  }
  edited.insertAll('era', '/result', result.start, missing)
  return edited
}

function missingMembers(
  result: JsonObject,
  method: string,
  serverInfo: { name: string; version?: string } | undefined,
): [key: string, raw: string][] {
  const missing: [string, string][] = []
  if (result.resultType === undefined) missing.push(['resultType', '"complete"'])
  if (CACHEABLE.has(method)) {
    if (result.ttlMs === undefined) missing.push(['ttlMs', '0'])
    if (result.cacheScope === undefined) missing.push(['cacheScope', '"private"'])
  }
  if (serverInfo !== undefined && result._meta === undefined) {
    missing.push(['_meta', JSON.stringify({ [META.serverInfo]: serverInfo })])
  }
  return missing
}

function modernCode(code: number): number | undefined {
  if (code === RESOURCE_NOT_FOUND) return ErrorCode.InvalidParams
  return code === URL_ELICITATION_REQUIRED ? ErrorCode.InternalError : undefined
}
