import { BROKEN_CALLS, type BrokenCall } from './broken-calls'

/** Every rule is broken here at least once, see guide.test.ts. */
export const ALL_BROKEN: readonly BrokenCall[] = [...BROKEN_CALLS]
