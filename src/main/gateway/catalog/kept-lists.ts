import type { ParameterAnnotation } from '../../../shared/protocol/parameter-headers'
import type { Backend } from '../../backends/backend'
import { fetchList, type BackendList } from './backend-list'
import type { Ask, ListKind } from './contract'
import type { ListEntry } from './list-entry'

interface KeptList {
  list: BackendList
  /** Own names of the entries. */
  names: ReadonlySet<string>
  /** Of tools that have arguments which travel in header fields too: these, by own name. */
  mirrored: ReadonlyMap<string, readonly ParameterAnnotation[]>
  /** May be offered without asking again until then. */
  freshUntil: number
}

interface Known {
  lists: Map<ListKind, KeptList>
  /** Lists that were asked for at least once, however it ended. */
  attempted: Set<ListKind>
  problems: Map<ListKind, string>
}

/**
 * What the backends listed last, whoever asked. It serves routing and the desk; to a client only such lists are shown
 * again that are public and fresh (server/utilities/caching), and only they keep the text of their entries.
 */
export class KeptLists {
  private known = new Map<Backend, Known>()

  /** `changed` is called when the names of a kind may be others now. */
  constructor(
    private readonly now: () => number,
    private readonly changed: (kind: ListKind) => void,
  ) {}

  /** Forgets every backend but these. */
  retain(backends: readonly Backend[]): void {
    this.known = new Map(
      backends.map((backend) => [
        backend,
        this.known.get(backend) ?? { lists: new Map(), attempted: new Set(), problems: new Map() },
      ]),
    )
  }

  entries(backend: Backend, kind: ListKind): readonly ListEntry[] {
    return this.known.get(backend)?.lists.get(kind)?.list.entries ?? []
  }

  /** The own names of a list, or undefined when it was never seen. */
  names(backend: Backend, kind: ListKind): ReadonlySet<string> | undefined {
    return this.known.get(backend)?.lists.get(kind)?.names
  }

  mirrored(backend: Backend, tool: string): readonly ParameterAnnotation[] {
    return this.known.get(backend)?.lists.get('tools')?.mirrored.get(tool) ?? []
  }

  isAttempted(backend: Backend, kind: ListKind): boolean {
    return this.known.get(backend)?.attempted.has(kind) === true
  }

  /** Reasons why lists are lacking, in words. */
  problems(backend: Backend): string[] {
    return [...new Set(this.known.get(backend)?.problems.values())]
  }

  /** The list and its remaining `ttlMs`, when it may be shown to any client without asking. */
  reusable(backend: Backend, kind: ListKind): { list: BackendList; ttlMs: number } | undefined {
    const kept = this.known.get(backend)?.lists.get(kind)
    const ttlMs = kept === undefined ? 0 : Math.floor(kept.freshUntil - this.now())
    return kept !== undefined && ttlMs > 0 ? { list: kept.list, ttlMs } : undefined
  }

  /** Asks for a list and keeps it, unless it broke off: what was known before is worth more then. */
  async fetch(backend: Backend, kind: ListKind, ask: Ask, limitMs: number): Promise<BackendList> {
    const list = await fetchList(backend, kind, ask, limitMs)
    const of = this.known.get(backend)
    if (of === undefined) return list
    of.attempted.add(kind)
    if (list.broken) return list
    const { hint } = list
    const isReusable = hint?.scope === 'public' && hint.ttlMs > 0
    const entries = isReusable ? list.entries : list.entries.map(withoutSource)
    of.lists.set(kind, {
      list: { ...list, entries },
      names: new Set(entries.map((entry) => entry.name)),
      mirrored: new Map(entries.flatMap(({ name, mirrored }) => (mirrored === undefined ? [] : [[name, mirrored]]))),
      freshUntil: isReusable ? this.now() + hint.ttlMs : 0,
    })
    this.noteProblem(backend, kind, list.reason)
    this.changed(kind)
    return list
  }

  noteProblem(backend: Backend, kind: ListKind, reason: string | undefined): void {
    const problems = this.known.get(backend)?.problems
    if (reason === undefined) problems?.delete(kind)
    else problems?.set(kind, reason)
  }

  expire(backend: Backend, kind: ListKind | undefined): void {
    for (const [listKind, kept] of this.known.get(backend)?.lists ?? [])
      if (kind === undefined || listKind === kind) kept.freshUntil = 0
  }
}

function withoutSource({ source: _source, ...rest }: ListEntry): ListEntry {
  return rest
}
