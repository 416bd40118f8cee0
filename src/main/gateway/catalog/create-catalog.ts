import type { CatalogEntry } from '../../../shared/api/contract'
import { ErrorCode } from '../../../shared/protocol/errors'
import type { ParameterAnnotation } from '../../../shared/protocol/parameter-headers'
import { isObject, type JsonValue } from '../../../shared/protocol/json-rpc'
import type { Backend } from '../../backends/backend'
import {
  CatalogError,
  type Ask,
  type Catalog,
  type CatalogBackend,
  type CatalogSettings,
  type ListKind,
  type MergedAnswer,
  type Missing,
  type Resolution,
} from './contract'
import { readCursor } from './cursor'
import { Discoveries } from './discover'
import { KeptLists } from './kept-lists'
import { LIST_KINDS } from './list-entry'
import { missingOf, printPage, type Part } from './merged-page'
import { clip, isAllowed, isUriAllowed, makeOffers, ownNameOf, PREFIX_END, type Claimant } from './offer'
import { RoutingTable, type Target } from './routing-table'
import type { Budget } from './uri-template'

export interface CatalogOptions {
  /** Of Sluice, for `serverInfo`. */
  version: string
  /** Milliseconds on a clock that only goes forward. */
  now?: () => number
}

export function createCatalog({ version, now = () => performance.now() }: CatalogOptions): Catalog {
  return new MergedCatalog(version, now)
}

type Named = 'tool' | 'prompt'
const LIST_OF = { tool: 'tools', prompt: 'prompts' } as const satisfies Record<Named, ListKind>

/** Steps that one look-up of a URI among templates may take. */
const TEMPLATE_STEPS = 10_000_000

class MergedCatalog implements Catalog {
  private settings: CatalogSettings = { names: { policy: 'prefix' }, listTimeoutMs: 5_000 }
  private members: readonly CatalogBackend[] = []
  private readonly tables = new Map<ListKind, RoutingTable>()
  private readonly kept: KeptLists
  private readonly discoveries: Discoveries

  constructor(
    private readonly version: string,
    now: () => number,
  ) {
    this.kept = new KeptLists(now, (kind) => this.tables.delete(kind))
    this.discoveries = new Discoveries(now, version)
  }

  configure(settings: CatalogSettings, backends: readonly CatalogBackend[]): void {
    this.settings = settings
    this.members = [...backends]
    const objects = backends.map(({ backend }) => backend)
    this.kept.retain(objects)
    this.discoveries.retain(objects)
    this.tables.clear()
  }

  async list(kind: ListKind, cursor: JsonValue | undefined, ask: Ask): Promise<MergedAnswer> {
    const after = cursor === undefined ? undefined : readCursor(kind, cursor)
    if (after !== undefined && this.memberNamed(after.backend) === undefined)
      throw new CatalogError(
        ErrorCode.InvalidParams,
        'Client leg: the backend that the cursor points at is no longer configured. Begin again without a cursor.',
      )
    const { parts, asked } = await this.gather(kind, ask)
    return { resultText: printPage(kind, parts, after, this.version), asked, missing: missingOf(parts) }
  }

  discover(ask: Ask): Promise<MergedAnswer> {
    return this.discoveries.merged(
      this.members.map(({ backend }) => backend),
      ask,
      this.settings.listTimeoutMs,
    )
  }

  resolve(kind: Named | 'resource', name: string, ask: Ask): Resolution | Promise<Resolution> {
    if (kind === 'resource') return this.resolveUri(name, ask)
    return this.settings.names.policy === 'prefix'
      ? this.resolvePrefixed(kind, name)
      : this.resolveListed(kind, name, ask)
  }

  async resolveCompletion(ref: JsonValue | undefined, ask: Ask): Promise<Resolution> {
    if (isObject(ref) && ref.type === 'ref/prompt' && typeof ref.name === 'string')
      return this.resolve('prompt', ref.name, ask)
    if (!isObject(ref) || ref.type !== 'ref/resource' || typeof ref.uri !== 'string')
      return {
        refused: {
          code: ErrorCode.InvalidParams,
          message:
            'Client leg: "ref" is neither {"type":"ref/prompt","name":…} nor {"type":"ref/resource","uri":…}, with text.',
        },
      }
    const { uri } = ref
    const find = (): Resolution | undefined => this.resolutionOf(this.table('resourceTemplates').find(uri))
    const found = find()
    if (found !== undefined) return found
    if (this.members.length > 1) await this.gather('resourceTemplates', ask)
    return find() ?? this.resolveUri(uri, ask)
  }

  subscribersOf(uri: string): readonly Backend[] {
    const budget: Budget = { steps: TEMPLATE_STEPS }
    const owner = this.resolutionOf(
      this.table('resources').find(uri) ?? this.table('resourceTemplates').findByTemplate(uri, budget),
    )
    if (owner !== undefined && 'backend' in owner) return [owner.backend]
    return this.members.filter(({ config }) => isUriAllowed(config, uri, budget)).map(({ backend }) => backend)
  }

  entries(backend: string): { entries: CatalogEntry[]; problems: string[] } {
    const member = this.memberNamed(backend)
    return {
      entries: LIST_KINDS.flatMap((kind) => this.table(kind).entriesOf(backend)),
      problems: member === undefined ? [] : this.kept.problems(member.backend),
    }
  }

  counts(backend: string): ReturnType<Catalog['counts']> {
    const member = this.memberNamed(backend)
    const count = (kind: ListKind): number =>
      member === undefined ? 0 : this.kept.entries(member.backend, kind).length
    return {
      tools: count('tools'),
      prompts: count('prompts'),
      resources: count('resources'),
      resourceTemplates: count('resourceTemplates'),
    }
  }

  async learn(backend: Backend, ask: Ask, kinds: readonly ListKind[] = LIST_KINDS): Promise<void> {
    await Promise.all(
      kinds.map(async (kind) => {
        const { reason } = await this.kept.fetch(backend, kind, ask, this.settings.listTimeoutMs)
        this.kept.noteProblem(backend, kind, reason)
      }),
    )
  }

  mirrored(backend: Backend, tool: string): readonly ParameterAnnotation[] {
    return this.kept.mirrored(backend, tool)
  }

  expire(backend: string, kind?: ListKind): void {
    const member = this.memberNamed(backend)
    if (member === undefined) return
    this.kept.expire(member.backend, kind)
    if (kind === undefined) this.discoveries.expire(member.backend)
  }

  /** The lists of all backends now: what may be shown again from memory, the others asked side by side. */
  private async gather(kind: ListKind, ask: Ask): Promise<{ parts: Part[]; asked: string[] }> {
    const { names, listTimeoutMs } = this.settings
    const asked: string[] = []
    const gathered = await Promise.all(
      this.members.map(async ({ backend, config }) => {
        const before = this.kept.entries(backend, kind)
        const reusable = this.kept.reusable(backend, kind)
        if (reusable !== undefined) return { name: backend.name, config, before, ...reusable }
        asked.push(backend.name)
        const list = await this.kept.fetch(backend, kind, ask, listTimeoutMs)
        return { name: backend.name, config, before, list, ttlMs: list.hint?.ttlMs ?? 0 }
      }),
    )
    const claimants = gathered.map(({ name, config, list, before }): Claimant => {
      if (!list.broken) return { backend: name, config, entries: list.entries }
      // What a backend had before still counts while it is away: the names of the others do not change.
      const listed = new Set(list.entries.map((entry) => entry.name))
      const absent = before.filter((entry) => !listed.has(entry.name))
      return { backend: name, config, entries: [...list.entries, ...absent] }
    })
    const offers = makeOffers(kind, names.policy, claimants)
    const parts = gathered.map(({ name, list, ttlMs }, index): Part => {
      return { backend: name, list, ttlMs, offers: offers[index] ?? [] }
    })
    return { parts, asked }
  }

  /** Under `prefix` the name itself says where it goes; whether it exists is for the backend to say. */
  private resolvePrefixed(kind: Named, name: string): Resolution {
    const list = LIST_OF[kind]
    const end = name.indexOf(PREFIX_END)
    const member = end === -1 ? undefined : this.memberNamed(name.slice(0, end))
    if (member === undefined) return refused(kind, name, this.table(list).explain(name))
    const { backend, config } = member
    const renamed = name.slice(end + PREFIX_END.length)
    const isPlain = Object.keys(config.rename).length === 0
    const own = isPlain ? renamed : ownNameOf(config, renamed, this.kept.names(backend, list))
    if (own === undefined) return refused(kind, name, this.table(list).explain(renamed))
    if (!isAllowed(config, own)) return refused(kind, name, `The configuration of "${backend.name}" filters it`)
    return { backend, name: own }
  }

  private resolveListed(kind: Named, name: string, ask: Ask): Resolution | Promise<Resolution> {
    const list = LIST_OF[kind]
    const find = (): Resolution | undefined => this.resolutionOf(this.table(list).find(name))
    const found = find()
    if (found !== undefined) return found
    return this.gather(list, ask).then(
      ({ parts }) => find() ?? refused(kind, name, this.table(list).explain(name), missingOf(parts)),
    )
  }

  private resolveUri(uri: string, ask: Ask): Resolution | Promise<Resolution> {
    const listed = this.resolutionOf(this.table('resources').find(uri))
    if (listed !== undefined) return listed
    const budget: Budget = { steps: TEMPLATE_STEPS }
    const only = this.members.length === 1 ? this.members[0] : undefined
    if (only !== undefined)
      return isUriAllowed(only.config, uri, budget)
        ? { backend: only.backend, name: uri }
        : refusedUri(uri, `The configuration of "${only.backend.name}" filters it`)
    const isKnown = (kind: ListKind): boolean =>
      this.members.every(({ backend }) => this.kept.isAttempted(backend, kind))
    if (isKnown('resources') && isKnown('resourceTemplates')) {
      const matched = this.resolutionOf(this.table('resourceTemplates').findByTemplate(uri, budget))
      if (matched !== undefined) return matched
    }
    return this.resolveUriAnew(uri, ask)
  }

  private async resolveUriAnew(uri: string, ask: Ask): Promise<Resolution> {
    const gathered = await Promise.all([this.gather('resources', ask), this.gather('resourceTemplates', ask)])
    const budget: Budget = { steps: TEMPLATE_STEPS }
    const found =
      this.resolutionOf(this.table('resources').find(uri)) ??
      this.resolutionOf(this.table('resourceTemplates').findByTemplate(uri, budget))
    if (found !== undefined) return found
    const missing = new Map(gathered.flatMap(({ parts }) => missingOf(parts)).map((one) => [one.backend, one]))
    const why = this.table('resources').explain(uri)
    return refusedUri(uri, why === '' ? 'No backend lists it or a template that it matches' : why, [
      ...missing.values(),
    ])
  }

  private table(kind: ListKind): RoutingTable {
    const existing = this.tables.get(kind)
    if (existing !== undefined) return existing
    const claimants = this.members.map(({ backend, config }): Claimant => {
      return { backend: backend.name, config, entries: this.kept.entries(backend, kind) }
    })
    const table = new RoutingTable(kind, this.settings.names.policy, claimants)
    this.tables.set(kind, table)
    return table
  }

  private resolutionOf(target: Target | undefined): Resolution | undefined {
    const member = target === undefined ? undefined : this.memberNamed(target.backend)
    return target === undefined || member === undefined ? undefined : { backend: member.backend, name: target.name }
  }

  private memberNamed(name: string): CatalogBackend | undefined {
    return this.members.find(({ backend }) => backend.name === name)
  }
}

function refused(kind: Named, name: string, why: string, missing: readonly Missing[] = []): Resolution {
  const message = [`Unknown ${kind}: ${clip(name)}`, why, whyMissing(missing)].filter((part) => part !== '').join('. ')
  return {
    refused: { code: ErrorCode.InvalidParams, message, ...(missing.length === 0 ? {} : { data: dataOf(missing) }) },
  }
}

/** The code and the data are those of the specification (server/resources, "Error Handling"). */
function refusedUri(uri: string, why: string, missing: readonly Missing[] = []): Resolution {
  const message = [`Resource not found: ${clip(uri)}`, why, whyMissing(missing)]
    .filter((part) => part !== '')
    .join('. ')
  return {
    refused: {
      code: ErrorCode.InvalidParams,
      message,
      data: { uri, ...(missing.length === 0 ? {} : dataOf(missing)) },
    },
  }
}

function whyMissing(missing: readonly Missing[]): string {
  if (missing.length === 0) return ''
  return `Not known are the lists of ${missing.map(({ backend, reason }) => `"${backend}" (${reason})`).join(', ')}`
}

function dataOf(missing: readonly Missing[]): { missing: { backend: string; reason: string }[] } {
  return { missing: missing.map(({ backend, reason }) => ({ backend, reason })) }
}
