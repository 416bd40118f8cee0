import type { WithheldReason } from '../../shared/capture/events'
import { isObject, type JsonObject, type RequestId } from '../../shared/protocol/json-rpc'
import { isLogLevel, passesLogLevel, type LogLevel } from '../../shared/protocol/meta'

export interface GateRequest {
  method: string
  progressToken?: RequestId
  logLevel?: LogLevel
}
export type Verdict = { pass: true } | { pass: false; reason: WithheldReason; detail: string }

const PASS: Verdict = { pass: true }

/** Notifications of a `subscriptions/listen` stream, which no other response stream may carry (basic/patterns/subscriptions). */
const SUBSCRIPTION_NOTIFICATIONS = new Set([
  'notifications/subscriptions/acknowledged',
  'notifications/tools/list_changed',
  'notifications/prompts/list_changed',
  'notifications/resources/list_changed',
  'notifications/resources/updated',
  'notifications/tasks',
  'notifications/cancelled',
])

/**
 * Whether a backend's notification may reach the caller (basic/patterns/progress, server/utilities/logging):
 *
 * | notification | passes when |
 * |---|---|
 * | progress | the call carried a progress token, and this is that token, type included |
 * | message | the call carried a log level, and this is at or above it |
 * | of subscriptions | the call is `subscriptions/listen` |
 * | any other | always on a call; a listen stream carries none |
 */
export function judge(notification: JsonObject, request: GateRequest): Verdict {
  const method = notification.method
  const params = isObject(notification.params) ? notification.params : {}
  const listening = request.method === 'subscriptions/listen'
  if (SUBSCRIPTION_NOTIFICATIONS.has(String(method))) {
    if (listening) return PASS
    return withhold(
      'not-request-scoped',
      `${String(method)} belongs on a subscriptions/listen stream, not on the answer to ${request.method}`,
    )
  }
  if (listening)
    return withhold(
      'not-request-scoped',
      `${String(method)} belongs on the answer to the request that it is about, not on a listen stream`,
    )
  if (method === 'notifications/progress') return judgeProgress(params.progressToken, request)
  if (method === 'notifications/message') return judgeLog(params.level, request)
  return PASS
}

/** Of a legacy client, which hears of everything until it sets a level (2025-11-25 server/utilities/logging). */
export function judgeForLegacy(notification: JsonObject, level: LogLevel | undefined): Verdict {
  if (notification.method !== 'notifications/message' || level === undefined) return PASS
  const params = isObject(notification.params) ? notification.params : {}
  return judgeLog(params.level, { method: '', logLevel: level })
}

function judgeProgress(token: unknown, request: GateRequest): Verdict {
  if (request.progressToken === undefined) return withhold('no-progress-token', 'the call carried no progressToken')
  if (token === request.progressToken) return PASS
  return withhold(
    'progress-token-mismatch',
    `the token is ${show(token)}, the call's is ${show(request.progressToken)}`,
  )
}

function judgeLog(level: unknown, request: GateRequest): Verdict {
  if (request.logLevel === undefined) return withhold('no-log-level', 'the call carried no log level')
  if (!isLogLevel(level)) return withhold('below-log-level', `level ${show(level)} is none of the eight levels`)
  if (passesLogLevel(level, request.logLevel)) return PASS
  return withhold('below-log-level', `level=${level}, below the call's level "${request.logLevel}"`)
}

function withhold(reason: WithheldReason, detail: string): Verdict {
  return { pass: false, reason, detail }
}

function show(value: unknown): string {
  return JSON.stringify(value)?.slice(0, 100) ?? 'absent'
}
