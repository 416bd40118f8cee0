import { patternCovers, patternNames, readPattern, type PointerPattern } from './pointer'

/**
 * What does not count as a difference. Pointers lead into an answer as it is compared (compare-answers.ts): `/result/…`,
 * `/error/…`, `/frames/…`, `/status`, `/outcome`.
 */
export interface CompareRules {
  ignore: readonly PointerPattern[]
  /** Arrays whose order says nothing. */
  unordered: readonly PointerPattern[]
  /** Points in time and random identifiers inside of texts and numbers do not count (volatile-text.ts). */
  volatile: boolean
}

/**
 * Ids, times, states and tokens where the protocol has them: they belong to one run (basic/index, basic/patterns/mrtr,
 * server/utilities/caching, server/utilities/pagination, SEP-2663).
 */
const DEFAULT_IGNORED: readonly string[] = [
  '/result/requestState',
  '/result/inputRequests/*/params/elicitationId',
  '/result/ttlMs',
  '/result/nextCursor',
  '/result/taskId',
  '/result/createdAt',
  '/result/lastUpdatedAt',
  '/result/_meta/traceparent',
  '/result/_meta/tracestate',
  '/error/data/requestId',
  '/frames/*/params/progressToken',
  '/frames/*/params/requestId',
  '/frames/*/params/elicitationId',
  '/frames/*/params/_meta/progressToken',
  '/frames/*/params/_meta/traceparent',
  '/frames/*/params/_meta/tracestate',
]
/** The lists of a server, whose entries have names. */
const DEFAULT_UNORDERED: readonly string[] = [
  '/result/tools',
  '/result/prompts',
  '/result/resources',
  '/result/resourceTemplates',
  '/result/supportedVersions',
]

/** What an answer is compared by (see `AnswerDocument`). A pointer that begins with anything else leads into the result. */
const ROOTS: ReadonlySet<string> = new Set(['result', 'error', 'frames', 'status', 'outcome', '*'])

export interface RuleTexts {
  ignore?: readonly string[]
  unordered?: readonly string[]
  /** Without what is ignored by default. */
  exact?: boolean
}

/** The rules of pointers as a user writes them. `problem` names the first one that cannot be read. */
export function compareRules(texts: RuleTexts = {}): { rules: CompareRules } | { problem: string } {
  const ignore = [...(texts.exact === true ? [] : DEFAULT_IGNORED), ...(texts.ignore ?? []).map(intoResult)]
  const unordered = [...(texts.exact === true ? [] : DEFAULT_UNORDERED), ...(texts.unordered ?? []).map(intoResult)]
  const read = { ignore: [] as PointerPattern[], unordered: [] as PointerPattern[] }
  for (const [into, list] of [
    [read.ignore, ignore],
    [read.unordered, unordered],
  ] as const)
    for (const text of list) {
      const pattern = readPattern(text)
      if ('problem' in pattern) return { problem: `${JSON.stringify(text.slice(0, 120))} ${pattern.problem}` }
      into.push(pattern)
    }
  return { rules: { ...read, volatile: texts.exact !== true } }
}

function intoResult(text: string): string {
  const first = /^\/([^/]*)/.exec(text)?.[1]
  return first === undefined || ROOTS.has(first) ? text : `/result${text}`
}

export function isIgnored(rules: CompareRules, path: readonly string[]): boolean {
  return rules.ignore.some((pattern) => patternCovers(pattern, path))
}

export function isUnordered(rules: CompareRules, path: readonly string[]): boolean {
  return rules.unordered.some((pattern) => patternNames(pattern, path))
}
