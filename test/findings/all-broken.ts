import { BROKEN_CALLS, type BrokenCall } from './broken-calls'
import { BROKEN_MESSAGES } from './broken-messages'
import { BROKEN_RESULTS } from './broken-results'

/** Every rule is broken here at least once, see guide.test.ts. */
export const ALL_BROKEN: readonly BrokenCall[] = [...BROKEN_CALLS, ...BROKEN_RESULTS, ...BROKEN_MESSAGES]
