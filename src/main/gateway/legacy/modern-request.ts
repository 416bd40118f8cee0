import { isObject, type JsonObject, type JsonValue } from '../../../shared/protocol/json-rpc'
import { memberOf, objectMembers } from '../../../shared/protocol/json-text'
import { META, type LogLevel } from '../../../shared/protocol/meta'
import { MODERN_VERSION } from '../../../shared/protocol/revisions'
import { EditedText } from '../edited-text'
import { TASKS_EXTENSION } from '../tasks'

export interface ModernRequestParts {
  upstreamId: string
  clientInfo: JsonObject
  capabilities: JsonObject
  logLevel: LogLevel
  target?: { member: string; name: string }
  referencedPrompt?: string
  progressToken?: string
  /** Of a further round: the client's answers, and the backend's state. */
  inputResponses?: JsonObject
  requestState?: string
}

/** Without what exists in legacy revisions only (changelog 2026-07-28), and without tasks, which no legacy client can follow. */
function modernCapabilities({ tasks: _tasks, roots, extensions, ...rest }: JsonObject): JsonObject {
  const { [TASKS_EXTENSION]: _extension, ...others } = isObject(extensions) ? extensions : {}
  return {
    ...rest,
    ...(roots === undefined ? {} : { roots: {} }),
    ...(Object.keys(others).length === 0 ? {} : { extensions: others }),
  }
}

/** The `_meta` that tells a modern backend of a legacy client. */
export function modernMeta(clientInfo: JsonObject, capabilities: JsonObject): JsonObject {
  return {
    [META.protocolVersion]: MODERN_VERSION,
    [META.clientInfo]: clientInfo,
    [META.clientCapabilities]: modernCapabilities(capabilities),
  }
}

/** A legacy client's request as a modern backend needs it: with `_meta`, and with the answers of the round before. */
export function modernRequest(body: string, parts: ModernRequestParts): EditedText {
  const edited = new EditedText(body)
  const top = objectMembers(body) ?? []
  for (const member of top) if (member.key === 'id') edited.replace('id', '/id', member, parts.upstreamId)
  const own = { ...modernMeta(parts.clientInfo, parts.capabilities), [META.logLevel]: parts.logLevel }
  const meta = Object.entries(own).map(([key, value]): [string, string] => [key, raw(value)])
  const metaText = `{${meta.map(([key, raw]) => `${JSON.stringify(key)}:${raw}`).join(',')}}`
  const params = memberOf(top, 'params')
  if (params === undefined) {
    edited.insert('era', '/params', body.indexOf('{'), 'params', `{"_meta":${metaText}}`)
    return edited
  }
  const members = objectMembers(body, params.start) ?? []
  const given = memberOf(members, '_meta')
  const added: [string, string][] = []
  if (given === undefined) added.push(['_meta', metaText])
  else {
    const token = memberOf(objectMembers(body, given.start), 'progressToken')
    if (token !== undefined && parts.progressToken !== undefined) {
      edited.replace('progressToken', '/params/_meta/progressToken', token, parts.progressToken)
    }
    edited.insertAll('era', '/params/_meta', given.start, meta)
  }
  for (const member of members) {
    if (parts.target !== undefined && member.key === parts.target.member) {
      edited.replace('name', `/params/${member.key}`, member, JSON.stringify(parts.target.name))
    }
    if (parts.referencedPrompt !== undefined && member.key === 'ref') {
      const name = memberOf(objectMembers(body, member.start), 'name')
      if (name !== undefined) edited.replace('name', '/params/ref/name', name, JSON.stringify(parts.referencedPrompt))
    }
  }
  if (parts.inputResponses !== undefined) added.push(['inputResponses', raw(parts.inputResponses)])
  if (parts.requestState !== undefined) added.push(['requestState', raw(parts.requestState)])
  edited.insertAll('era', '/params', params.start, added)
  return edited
}

function raw(value: JsonValue): string {
  return JSON.stringify(value)
}
