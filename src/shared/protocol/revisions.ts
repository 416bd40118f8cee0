/** The two ways of speaking MCP: `modern` = stateless 2026-07-28, `legacy` = `initialize` sessions (2025-11-25 and older). */
export type Era = 'modern' | 'legacy'

/** The one modern revision (basic/versioning). */
export const MODERN_VERSION = '2026-07-28'
