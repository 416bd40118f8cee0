import type { NamePolicy } from '../../../shared/config/schema'
import type { CatalogEntry } from '../../../shared/api/contract'
import type { ListKind } from './contract'
import { clip, isUriExcluded, makeOffers, type Claimant, type Offer } from './offer'
import { matchesUriTemplate, type Budget } from './uri-template'

export interface Target {
  backend: string
  /** Own name or URI. */
  name: string
}

/** The names of one kind on `/mcp`, from the lists as last seen. */
export class RoutingTable {
  private readonly targets = new Map<string, Target>()
  private readonly offers: readonly Offer[][]

  constructor(
    private readonly kind: ListKind,
    policy: NamePolicy,
    private readonly claimants: readonly Claimant[],
  ) {
    this.offers = makeOffers(kind, policy, claimants)
    this.forEach((claimant, name, offer) => {
      if (offer.exposedAs !== null) this.targets.set(offer.exposedAs, { backend: claimant.backend, name })
    })
  }

  find(exposedAs: string): Target | undefined {
    return this.targets.get(exposedAs)
  }

  /** The first template, in order of priority, that `uri` can come from, where the filters of its backend let the URI through. */
  findByTemplate(uri: string, budget: Budget): Target | undefined {
    for (const [index, { backend, config, entries }] of this.claimants.entries()) {
      const found = entries.some(
        ({ template }, at) =>
          template !== undefined &&
          this.offers[index]?.[at]?.excluded === undefined &&
          matchesUriTemplate(template, uri, budget),
      )
      if (found && !isUriExcluded(config, uri, budget)) return { backend, name: uri }
    }
    return undefined
  }

  /** What is known of a name that is not offered: what it is called now, or why it is not there. In words, or "". */
  explain(name: string): string {
    const calledNow: string[] = []
    const reasons: string[] = []
    this.forEach(({ backend, config }, own, offer) => {
      if (own !== name && config.rename[own] !== name) return
      if (offer.exposedAs === null) reasons.push(`"${backend}" does not offer it here: ${offer.excluded}`)
      else calledNow.push(`"${clip(offer.exposedAs)}"`)
    })
    if (calledNow.length > 0) return `Here it is called ${calledNow.slice(0, 5).join(' or ')}`
    return reasons.slice(0, 5).join('; ')
  }

  /** The entries of one backend for the desk. */
  entriesOf(backend: string): CatalogEntry[] {
    const found: CatalogEntry[] = []
    this.claimants.forEach((claimant, index) => {
      if (claimant.backend !== backend) return
      claimant.entries.forEach(({ name, title, description }, at) => {
        const offer = this.offers[index]?.[at]
        if (offer === undefined) return
        found.push({
          kind: ENTRY_KINDS[this.kind],
          name,
          exposedAs: offer.exposedAs,
          ...(title === undefined ? {} : { title }),
          ...(description === undefined ? {} : { description }),
          ...(offer.excluded === undefined ? {} : { excluded: offer.excluded }),
        })
      })
    })
    return found
  }

  private forEach(visit: (claimant: Claimant, own: string, offer: Offer) => void): void {
    this.claimants.forEach((claimant, index) => {
      claimant.entries.forEach((entry, at) => {
        const offer = this.offers[index]?.[at]
        if (offer !== undefined) visit(claimant, entry.name, offer)
      })
    })
  }
}

const ENTRY_KINDS = {
  tools: 'tool',
  prompts: 'prompt',
  resources: 'resource',
  resourceTemplates: 'resource-template',
} as const satisfies Record<ListKind, CatalogEntry['kind']>
