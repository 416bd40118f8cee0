import type { BackendConfig, NamePolicy } from '../../../shared/config/schema'
import type { ListKind } from './contract'
import type { ListEntry } from './list-entry'
import { matchesPattern } from './name-pattern'
import { matchesUriTemplate, parseUriTemplate, type Budget } from './uri-template'

/** What one backend lists, in configured order of backends. */
export interface Claimant {
  backend: string
  config: BackendConfig
  entries: readonly ListEntry[]
}

/** What becomes of one entry on `/mcp`: the name that it is offered under, or why it is not. */
export type Offer = { exposedAs: string; excluded?: undefined } | { exposedAs: null; excluded: string }

export const PREFIX_END = '__'

/** True when the configuration of a backend lets this name, URI or URI template through. */
export function isAllowed(config: BackendConfig, name: string): boolean {
  if (config.exclude.some((pattern) => matchesPattern(pattern, name))) return false
  return config.include === undefined || config.include.some((pattern) => matchesPattern(pattern, name))
}

/** True when `exclude` names this URI, itself or by a URI template that it can come from. */
export function isUriExcluded(config: BackendConfig, uri: string, budget: Budget): boolean {
  return config.exclude.some((pattern) => coversUri(pattern, uri, budget))
}

/** True when the configuration of a backend lets a URI be read of which no list says anything. */
export function isUriAllowed(config: BackendConfig, uri: string, budget: Budget): boolean {
  if (isUriExcluded(config, uri, budget)) return false
  return config.include === undefined || config.include.some((pattern) => coversUri(pattern, uri, budget))
}

function coversUri(pattern: string, uri: string, budget: Budget): boolean {
  if (matchesPattern(pattern, uri)) return true
  const template = parseUriTemplate(pattern)
  return !('fault' in template) && matchesUriTemplate(template, uri, budget)
}

/**
 * The own name of the entry that is called `renamed` after renaming; undefined when none is. `listed` are the own names
 * of the kind, where they are known: one table of new names serves tools and prompts.
 */
export function ownNameOf(config: BackendConfig, renamed: string, listed?: ReadonlySet<string>): string | undefined {
  const isListed = (name: string): boolean => listed === undefined || listed.has(name)
  const found = Object.entries(config.rename).find(([from, to]) => to === renamed && isListed(from))
  if (found !== undefined) return found[0]
  return Object.hasOwn(config.rename, renamed) ? undefined : renamed
}

/**
 * Decides what every entry is called on `/mcp`. Results stand in the order of `claimants` and their entries. The same
 * claimants in the same order always give the same names.
 */
export function makeOffers(kind: ListKind, policy: NamePolicy, claimants: readonly Claimant[]): Offer[][] {
  const named = kind === 'tools' || kind === 'prompts'
  const claims = claimants.map((claimant) => claimsOf(claimant, named))
  const holders = new Map<string, string[]>()
  claims.forEach((ofBackend, index) => {
    for (const claim of ofBackend)
      if (claim.name !== undefined) append(holders, claim.name, claimants[index]?.backend ?? '')
  })
  const taken = new Map<string, string>()
  return claims.map((ofBackend, index) => {
    const backend = claimants[index]?.backend ?? ''
    return ofBackend.map(({ name, excluded }): Offer => {
      if (name === undefined) return { exposedAs: null, excluded }
      const others = (holders.get(name) ?? []).filter((holder) => holder !== backend)
      if (named && policy === 'manual' && others.length > 0)
        return {
          exposedAs: null,
          excluded: `"${clip(name)}" is also offered by ${quoted(others)}: give it another name with "rename"`,
        }
      const prefixed = named && (policy === 'prefix' || (policy === 'on-conflict' && others.length > 0))
      const exposedAs = prefixed ? backend + PREFIX_END + name : name
      const holder = taken.get(exposedAs)
      if (holder !== undefined)
        return {
          exposedAs: null,
          excluded: `"${clip(exposedAs)}" is already offered by ${quoted([holder])}, which stands before it in the configuration`,
        }
      taken.set(exposedAs, backend)
      return { exposedAs }
    })
  })
}

type Claim = { name: string; excluded?: undefined } | { name: undefined; excluded: string }

/** What a backend asks for, after its filters and new names: every name at most once. */
function claimsOf({ config, entries }: Claimant, named: boolean): Claim[] {
  const refuse = (excluded: string): Claim => ({ name: undefined, excluded })
  const listed = new Set(entries.map((entry) => entry.name))
  const seen = new Set<string>()
  return entries.map((entry): Claim => {
    if (seen.has(entry.name)) return refuse('the backend lists it twice; the first one counts')
    seen.add(entry.name)
    if (!isAllowed(config, entry.name)) return refuse('filtered by "include" or "exclude" of its backend')
    if (entry.fault !== undefined) return refuse(entry.fault)
    if (!named) return { name: entry.name }
    const wanted = Object.hasOwn(config.rename, entry.name) ? (config.rename[entry.name] ?? entry.name) : entry.name
    if (ownNameOf(config, wanted, listed) === entry.name) return { name: wanted }
    return refuse(`another entry of its backend is renamed to "${clip(wanted)}"`)
  })
}

function append(lists: Map<string, string[]>, key: string, value: string): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [value])
  else list.push(value)
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(', ')
}

/** Names are hostile: a message carries no more of one than a person reads. */
export function clip(name: string): string {
  return name.length > 200 ? `${name.slice(0, 200)}…` : name
}
