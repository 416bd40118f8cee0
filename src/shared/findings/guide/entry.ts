/** What there is to know of a rule, beside what it says about one call. */
export interface GuideEntry {
  /** A short sentence without a full stop: what is wrong. */
  title: string
  /** `error`: against a MUST of the specification, or against its schema. `warning`: against a SHOULD. */
  severity: 'error' | 'warning'
  /** Whose doing it is. */
  leg: 'client' | 'backend'
  /** Section of revision 2026-07-28; of an older one with that revision before it, as `2025-11-25 basic/lifecycle`; pages of extensions begin with `extensions/`. */
  spec: string
  /** The section for peers of older revisions, for rules that hold for them as well. */
  legacySpec?: string
  /** What the protocol wants, and what breaks for people when it is not so. */
  why: string
  /** Where to look, and what to change. */
  look: string
}

export type GuideEntries = Record<string, GuideEntry>
