import type { CallRecord } from '../../shared/capture/record'
import { answeredIn } from '../../shared/replay/answered'
import { compareExchanges, type ExchangeComparison } from '../../shared/replay/compare-answers'
import { compareRules } from '../../shared/replay/compare-rules'
import { formatDuration } from '../text/format'

/** What the backends answered to two calls, compared as a replay compares. */
export function differencesOf(was: CallRecord, now: CallRecord): ExchangeComparison | null {
  const read = compareRules()
  if ('problem' in read) return null
  return compareExchanges(answeredIn(was, null), answeredIn(now, null), read.rules)
}

/** How a call ended, and after how long. */
export function endWords({ ended, response }: CallRecord): string {
  const form = response.commit === null ? [] : [`${response.commit.form.toUpperCase()} ${response.commit.status}`]
  if (ended === null) return [...form, 'open'].join(' · ')
  return [...form, `${ended.outcome} by ${ended.by}`, formatDuration(ended.offset)].join(' · ')
}
