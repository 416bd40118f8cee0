import { foldCall } from '../../shared/capture/fold'
import type { CallRecord } from '../../shared/capture/record'
import type { DeskConnection } from '../../shared/api/contract'
import { isObject, type JsonObject } from '../../shared/protocol/json-rpc'
import { applyTextEdits, memberOf, objectMembers, removeMember } from '../../shared/protocol/json-text'
import { isLogLevel, META } from '../../shared/protocol/meta'
import { draftOf, EMPTY_DRAFT, type Draft } from './draft'

/** Fields that a client writes by itself, or that belong to one connection. */
const OWN_FIELD =
  /^(?:accept|accept-.*|authorization|connection|content-.*|cookie|host|keep-alive|mcp-.*|origin|referer|sec-.*|transfer-encoding|user-agent)$/i
const REDACTED = /«redacted \d+»/

/** A recorded call as a draft, and what is not as it was, in words. */
export interface Resent {
  draft: Draft
  notes: string[]
}

/** Reads a call of the capture as something to send again. Throws in words when it cannot be. */
export async function draftOfCall(connection: DeskConnection, call: number): Promise<Resent> {
  const { events } = await connection.command('call.events', { call })
  const record = foldCall(events)
  const { request } = record
  if (request === null) throw new Error('The request of this call was not recorded.')
  const cut = request.body.clipped || request.body.missing !== undefined
  const text = cut ? (await connection.command('call.text', { call, seq: request.body.seq })).text : request.body.text
  return draftOfRequest(record, text)
}

/** True for what a client sends as a request of its own, and not as a part of a session. */
export function canResend(method: string | null, httpMethod: string | null): boolean {
  if (method === null || method === 'initialize' || method.startsWith('notifications/')) return false
  return httpMethod === null || httpMethod === 'POST'
}

function draftOfRequest(record: CallRecord, body: string): Resent {
  const { request, summary } = record
  const members = objectMembers(body)
  const method = request?.message.method
  if (request === null || members === undefined || typeof method !== 'string')
    throw new Error('The body of this call is no JSON-RPC request.')
  const params = memberOf(members, 'params')
  const paramsText = params === undefined ? '{}' : body.slice(params.start, params.end)
  const { text, meta } = withoutMeta(paramsText)
  const { own, settings } = settingsOf(meta)
  const notes: string[] = []
  if (REDACTED.test(body)) notes.push('Redacted values are not known any more: fill them in.')
  if (request.http.headers.some(([name]) => /^(?:authorization|cookie)$/i.test(name)))
    notes.push('Authorization and cookies are not recorded: add them under Settings if they are needed.')
  const draft = draftOf({
    endpoint: request.http.path.split('?')[0] ?? '/mcp',
    era: summary.era,
    method,
    params: text,
    settings: {
      ...settings,
      meta: own,
      headers: request.http.headers
        .filter(([name]) => !OWN_FIELD.test(name))
        .map(([name, value]) => ({ name, value: REDACTED.test(value) ? '' : value })),
    },
  })
  // A legacy client says what it can do at the beginning of its session.
  return { draft: summary.era === 'legacy' ? { ...draft, capabilities: EMPTY_DRAFT.capabilities } : draft, notes }
}

function withoutMeta(params: string): { text: string; meta: JsonObject } {
  const members = objectMembers(params)
  const index = members?.findLastIndex(({ key }) => key === '_meta') ?? -1
  const member = members?.[index]
  if (members === undefined || member === undefined) return { text: params, meta: {} }
  const meta: unknown = JSON.parse(params.slice(member.start, member.end))
  if (!isObject(meta)) return { text: params, meta: {} }
  return { text: applyTextEdits(params, [removeMember(members, index)]), meta }
}

/** What Sluice writes itself becomes a setting; the rest of `_meta` stays. */
function settingsOf(meta: JsonObject) {
  const {
    [META.protocolVersion]: _version,
    [META.clientInfo]: _client,
    [META.clientCapabilities]: capabilities,
    [META.logLevel]: logLevel,
    progressToken,
    ...own
  } = meta
  return {
    own,
    settings: {
      capabilities: isObject(capabilities) ? capabilities : {},
      logLevel: isLogLevel(logLevel) ? logLevel : null,
      progress: progressToken !== undefined,
    },
  }
}
