/** The two ways of speaking MCP: `modern` = stateless 2026-07-28, `legacy` = `initialize` sessions (2025-11-25 and older). */
export type Era = 'modern' | 'legacy'

/** The one modern revision (basic/versioning). */
export const MODERN_VERSION = '2026-07-28'

/** Revisions that begin with `initialize`, newest first (basic/versioning). */
export const LEGACY_VERSIONS: ReadonlySet<string> = new Set([
  '2025-11-25',
  '2025-06-18',
  '2025-03-26',
  '2024-11-05',
  '2024-10-07',
])
