import type { DeskConnection } from '../../shared/api/contract'
import { readMessage } from '../../shared/capture/message'
import type { CallSummary } from '../../shared/capture/summary'
import { isObject, type JsonObject } from '../../shared/protocol/json-rpc'

/** The output schema of a tool as the client of a call was told it. */
export type OutputSchema =
  | { kind: 'schema'; schema: JsonObject; list: number }
  /** It was listed without one. `list`: the call that listed it. */
  | { kind: 'none'; list: number }
  /** No list that is recorded has it. */
  | { kind: 'unlisted' }

/** Pages of lists that are read for one call. */
const MOST_LISTS = 20
/** A longer list is passed over, in UTF-16 code units. */
const LONGEST_LIST = 16_777_216
/** Lists that are kept as they were read. */
const KEPT = 8

/** Output schemas by the name of a tool; null for a tool without one. */
type ListedTools = ReadonlyMap<string, JsonObject | null>

export interface OutputSchemasOptions {
  connection: Pick<DeskConnection, 'command'>
  /** All calls, the newest first. */
  newest: () => Iterable<CallSummary>
}

/** Finds what tools were said to give, in the tool lists that clients were answered. */
export class OutputSchemas {
  readonly #options: OutputSchemasOptions
  readonly #read = new Map<number, Promise<ListedTools>>()

  constructor(options: OutputSchemasOptions) {
    this.#options = options
  }

  /** Rejects when a list cannot be read. */
  async of(call: CallSummary): Promise<OutputSchema> {
    const { target } = call
    if (call.method !== 'tools/call' || target === null) return { kind: 'unlisted' }
    for (const list of listsFor(this.#options.newest(), call)) {
      const schema = (await this.#listed(list)).get(target)
      if (schema === null) return { kind: 'none', list }
      if (schema !== undefined) return { kind: 'schema', schema, list }
    }
    return { kind: 'unlisted' }
  }

  #listed(list: number): Promise<ListedTools> {
    let tools = this.#read.get(list)
    if (tools !== undefined) return tools
    tools = this.#load(list)
    this.#read.set(list, tools)
    for (const oldest of this.#read.keys()) {
      if (this.#read.size <= KEPT) break
      this.#read.delete(oldest)
    }
    // What failed is tried again the next time.
    tools.catch(() => this.#read.delete(list))
    return tools
  }

  async #load(list: number): Promise<ListedTools> {
    const { connection } = this.#options
    const { events } = await connection.command('call.events', { call: list })
    const answer = events.findLast((event) => event.kind === 'response.frame' && event.message === 'result')
    if (answer === undefined) return new Map()
    const { text } = await connection.command('call.text', { call: list, seq: answer.seq })
    return text.length > LONGEST_LIST ? new Map() : toolsIn(text)
  }
}

/**
 * Lists that the client of a call may have gone by: of the same endpoint in the same era, where names and schemas are the
 * same; the last before the call first, then the first after it.
 */
export function listsFor(newest: Iterable<CallSummary>, call: CallSummary): number[] {
  const before: number[] = []
  let after: number[] = []
  for (const other of newest) {
    if (other.method !== 'tools/list' || other.endpoint !== call.endpoint || other.era !== call.era) continue
    if (other.outcome !== 'result') continue
    if (other.receivedAt > call.receivedAt) after.push(other.call)
    else if (before.push(other.call) === MOST_LISTS) break
  }
  after = after.reverse()
  return [...before, ...after].slice(0, MOST_LISTS)
}

function toolsIn(text: string): ListedTools {
  const { result } = readMessage(text)
  const tools = new Map<string, JsonObject | null>()
  if (!isObject(result) || !Array.isArray(result.tools)) return tools
  for (const tool of result.tools) {
    if (!isObject(tool) || typeof tool.name !== 'string') continue
    tools.set(tool.name, isObject(tool.outputSchema) ? tool.outputSchema : null)
  }
  return tools
}
