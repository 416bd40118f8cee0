import type { EndpointOffer } from '../../shared/api/compose'
import { ErrorCode } from '../../shared/protocol/errors'
import { isObject, type JsonObject } from '../../shared/protocol/json-rpc'
import type { Era } from '../../shared/protocol/revisions'
import { errorOf } from '../backends/messages'
import type { EndpointClient } from './endpoint-client'
import { answerTo, PLAIN, type EndpointClients } from './plain-request'

type ListName = 'tools' | 'prompts' | 'resources' | 'resourceTemplates'

const LISTS: Record<ListName, { method: string; capability: 'tools' | 'prompts' | 'resources' }> = {
  tools: { method: 'tools/list', capability: 'tools' },
  prompts: { method: 'prompts/list', capability: 'prompts' },
  resources: { method: 'resources/list', capability: 'resources' },
  resourceTemplates: { method: 'resources/templates/list', capability: 'resources' },
}
/** A hostile server could go on for ever. */
const MOST_PAGES = 100
const MOST_ENTRIES = 5_000
const LIST_TIMEOUT_MS = 20_000

/** Reads the lists of an endpoint page by page, as any client does. A list that fails is named and left empty. */
export async function readOffer(endpoint: string, era: Era, clients: EndpointClients): Promise<EndpointOffer> {
  const offer: EndpointOffer = {
    endpoint,
    era,
    tools: [],
    prompts: [],
    resources: [],
    resourceTemplates: [],
    problems: [],
  }
  const signal = AbortSignal.timeout(LIST_TIMEOUT_MS)
  let capabilities: JsonObject | null = null
  try {
    // A legacy server says beforehand what it has; a modern one is asked.
    if (era === 'legacy') capabilities = await clients.legacy.capabilities(endpoint, PLAIN)
  } catch (error) {
    offer.problems.push(wordsOf(error))
    return offer
  }
  const names = Object.keys(LISTS) as ListName[]
  await Promise.all(
    names
      .filter((name) => capabilities === null || capabilities[LISTS[name].capability] !== undefined)
      .map(async (name) => {
        try {
          offer[name] = await readList(name, endpoint, era, clients, signal)
        } catch (error) {
          offer.problems.push(`${LISTS[name].method}: ${wordsOf(error)}`)
        }
      }),
  )
  return offer
}

async function readList(
  name: ListName,
  endpoint: string,
  era: Era,
  clients: EndpointClients,
  signal: AbortSignal,
): Promise<JsonObject[]> {
  const { method } = LISTS[name]
  const client: EndpointClient = clients[era]
  const entries: JsonObject[] = []
  let cursor: string | undefined
  for (let page = 0; page < MOST_PAGES; page++) {
    const params = JSON.stringify(cursor === undefined ? {} : { cursor })
    const message = await answerTo(client, { endpoint, method, params, id: clients.nextId() }, signal, LIST_TIMEOUT_MS)
    const error = errorOf(message)
    // A server without prompts knows no such method.
    if (error?.code === ErrorCode.MethodNotFound && page === 0) return []
    if (error !== undefined) throw new Error(String(error.message))
    const result = isObject(message.result) ? message.result : {}
    if (name === 'tools' && era === 'modern') clients.modern.learn(endpoint, result, page === 0)
    const listed = result[name]
    if (Array.isArray(listed)) entries.push(...listed.filter(isObject))
    if (entries.length >= MOST_ENTRIES || typeof result.nextCursor !== 'string') break
    cursor = result.nextCursor
  }
  return entries.slice(0, MOST_ENTRIES)
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
