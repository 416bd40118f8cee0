import { methodAsked, modernExchanges, resultOf, shown } from './facts'
import type { Finding, JudgedCall } from './finding'
import { found } from './found'
import type { RuleId } from './guide'

const CACHEABLE: ReadonlySet<string> = new Set([
  'server/discover',
  'tools/list',
  'prompts/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
])

/** Complete results of lists, reads and discovery carry `ttlMs` and `cacheScope` (server/utilities/caching). */
export function cacheHints(call: JudgedCall): Finding[] {
  const findings: Finding[] = []
  for (const exchange of modernExchanges(call)) {
    const method = methodAsked(call, exchange)
    if (method === undefined || !CACHEABLE.has(method)) continue
    const ended = resultOf(exchange)
    if (ended === undefined || ended.result.resultType === 'input_required') continue
    const { ttlMs, cacheScope } = ended.result
    const add = (rule: RuleId, message: string): void => {
      findings.push(
        found({
          rule,
          message,
          seq: ended.seq,
        }),
      )
    }
    if (ttlMs === undefined) add('cache-ttl-missing', `The result of ${method} has no ttlMs.`)
    else if (typeof ttlMs !== 'number' || !Number.isInteger(ttlMs) || ttlMs < 0) {
      add('cache-ttl-invalid', `ttlMs is ${shown(ttlMs)}; it must be a whole number of milliseconds from 0.`)
    }
    if (cacheScope === undefined) add('cache-scope-missing', `The result of ${method} has no cacheScope.`)
    else if (cacheScope !== 'public' && cacheScope !== 'private') {
      add('cache-scope-invalid', `cacheScope is ${shown(cacheScope)}; it must be "public" or "private".`)
    }
  }
  return findings
}
