import { isObject, type JsonObject, type JsonValue } from '../../../shared/protocol/json-rpc'
import { MODERN_VERSION } from '../../../shared/protocol/revisions'
import type { Backend } from '../../backends/backend'
import { declaresTasks, TASKS_EXTENSION } from '../tasks'
import { narrowest, readCacheHint, type CacheHint } from './backend-list'
import type { Ask, MergedAnswer, Missing } from './contract'
import { printHint, printMeta } from './merged-page'

/** A client waits for this answer before anything else, and SDK clients turn to legacy when it does not come. */
const MAX_WAIT_MS = 1_000
const MAX_INSTRUCTIONS = 65_536

/** What one backend says of itself. */
interface Discovery {
  /** The result, or the last one known when it did not answer now; undefined when nothing is known of it. */
  result?: JsonObject
  /** Undefined when it did not answer now. */
  hint?: CacheHint
  reason?: string
}

/** Asks one backend. Never rejects, and waits a second at most. */
async function askDiscovery(
  backend: Backend,
  ask: Ask,
  limitMs: number,
  declared: JsonObject | undefined,
): Promise<Discovery> {
  const wait = Math.min(limitMs, MAX_WAIT_MS)
  const abort = new AbortController()
  const last = declared ?? backend.state.discovered
  const failed = (reason: string): Discovery => ({ reason, ...(last === undefined ? {} : { result: last }) })
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<Discovery>((resolve) => {
    timer = setTimeout(() => {
      abort.abort()
      resolve(failed(`did not answer server/discover within ${wait} ms`))
    }, wait)
  })
  const answered = ask(backend, 'server/discover', {}, abort.signal).then((answer): Discovery => {
    if (!answer.ok) return failed(answer.reason)
    const result = parseObject(answer.resultText)
    if (result === undefined || !isObject(result.capabilities))
      return failed('answered server/discover with nonsense: the result has no capabilities')
    return { result, hint: readCacheHint(result) }
  })
  try {
    return await Promise.race([limit, answered])
  } finally {
    clearTimeout(timer)
  }
}

/** Answers `server/discover` of the aggregate endpoint, and keeps what may be kept for all clients. */
export class Discoveries {
  private kept = new Map<Backend, { discovery: Discovery; freshUntil: number }>()
  /** Capabilities as last declared, for the time when a backend is away. */
  private declared = new Map<Backend, JsonObject>()

  constructor(
    private readonly now: () => number,
    private readonly version: string,
  ) {}

  retain(backends: readonly Backend[]): void {
    this.kept = new Map([...this.kept].filter(([backend]) => backends.includes(backend)))
    this.declared = new Map([...this.declared].filter(([backend]) => backends.includes(backend)))
  }

  expire(backend: Backend): void {
    this.kept.delete(backend)
  }

  async merged(backends: readonly Backend[], ask: Ask, limitMs: number): Promise<MergedAnswer> {
    const asked: string[] = []
    const discoveries = await Promise.all(
      backends.map(async (backend) => {
        const kept = this.kept.get(backend)
        const left = kept === undefined ? 0 : Math.floor(kept.freshUntil - this.now())
        if (kept !== undefined && left > 0)
          return {
            backend: backend.name,
            discovery: { ...kept.discovery, hint: { ttlMs: left, scope: 'public' as const } },
          }
        asked.push(backend.name)
        const discovery = await askDiscovery(backend, ask, limitMs, this.declared.get(backend))
        if (discovery.reason === undefined && isObject(discovery.result?.capabilities))
          this.declared.set(backend, { capabilities: discovery.result.capabilities })
        if (discovery.hint?.scope === 'public')
          this.kept.set(backend, { discovery, freshUntil: this.now() + discovery.hint.ttlMs })
        return { backend: backend.name, discovery }
      }),
    )
    const { result, hint, missing } = mergeDiscoveries(discoveries)
    const ttlMs = missing.length > 0 ? 0 : (hint?.ttlMs ?? 0)
    const members = [
      JSON.stringify(result).slice(1, -1),
      ...printHint({ ttlMs, scope: hint?.scope ?? 'private' }),
      printMeta(this.version, missing),
    ]
    return { resultText: `{${members.join(',')}}`, asked, missing }
  }
}

/** The parts of the merged result: what the aggregate endpoint offers, from what its backends offer. */
function mergeDiscoveries(discoveries: readonly { backend: string; discovery: Discovery }[]): {
  result: JsonObject
  hint: CacheHint | undefined
  missing: Missing[]
} {
  const missing: Missing[] = []
  const instructions: string[] = []
  let hint: CacheHint | undefined
  for (const { backend, discovery } of discoveries) {
    if (discovery.hint !== undefined) hint = narrowest(hint, discovery.hint)
    if (discovery.reason !== undefined) missing.push({ backend, reason: discovery.reason })
    const text = discovery.result?.instructions
    if (typeof text === 'string' && text.trim() !== '')
      instructions.push(`# ${backend}\n\n${text.slice(0, MAX_INSTRUCTIONS)}`)
  }
  const result: JsonObject = {
    resultType: 'complete',
    supportedVersions: [MODERN_VERSION],
    capabilities: mergeCapabilities(discoveries.map(({ discovery }) => discovery.result)),
  }
  if (instructions.length > 0) result.instructions = instructions.join('\n\n')
  return { result, hint, missing }
}

/**
 * A capability is there when one backend has it. Extensions (but tasks) and experimental ones are not merged: what they
 * demand of an intermediary is not known. A backend of which nothing is known (or one that is yet to be configured) may come to
 * offer anything, and clients do not ask for a list whose capability they have not seen.
 */
function mergeCapabilities(results: readonly (JsonObject | undefined)[]): JsonObject {
  const merged: JsonObject = {}
  const flags = { tools: ['listChanged'], prompts: ['listChanged'], resources: ['subscribe', 'listChanged'] } as const
  const all = results.map((result) => (isObject(result?.capabilities) ? result.capabilities : undefined))
  const somethingUnknown = results.length === 0 || all.includes(undefined)
  for (const [name, members] of Object.entries(flags)) {
    const offered = all.map((capabilities) => capabilities?.[name]).filter(isObject)
    if (offered.length === 0 && !somethingUnknown) continue
    merged[name] = Object.fromEntries(
      members.filter((member) => offered.some((one) => one[member] === true)).map((member) => [member, true]),
    )
  }
  for (const name of ['completions', 'logging'])
    if (all.some((capabilities) => isObject(capabilities?.[name]))) merged[name] = {}
  if (all.some(declaresTasks)) merged.extensions = { [TASKS_EXTENSION]: {} }
  return merged
}

function parseObject(text: string): JsonObject | undefined {
  try {
    const value = JSON.parse(text) as JsonValue
    return isObject(value) ? value : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
