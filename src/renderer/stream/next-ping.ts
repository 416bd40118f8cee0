import type { CallRecord } from '../../shared/capture/record'
import { formatSetting } from '../text/format'

/** When the gateway pings an open stream next, if no frame comes before. `now`: microseconds since the call was received. */
export function describeNextPing({ response }: CallRecord, now: number): string {
  const { commit, frames, pings, pingIntervalMs } = response
  if (pingIntervalMs === null) return 'the capture does not say'
  const last = Math.max(commit?.offset ?? 0, frames.at(-1)?.offset ?? 0, pings.at(-1)?.offset ?? 0)
  const left = pingIntervalMs / 1000 - (now - last) / 1e6
  const every = `every ${formatSetting(pingIntervalMs)} of silence`
  return left > 0 ? `in ${left.toFixed(1)} s · ${every}` : `due · ${every}`
}
