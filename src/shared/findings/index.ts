import { acceptIncomplete } from './accept'
import { cacheHints } from './cache-hints'
import { contentType } from './content-type'
import { errorCode } from './error-code'
import type { Finding, JudgedCall } from './finding'
import { headerMismatch } from './header-mismatch'
import { inputRequired } from './input-required'
import { logLevel } from './log-level'
import { messageAfterResponse } from './message-after-response'
import { notJsonRpc } from './not-json-rpc'
import { progressNotIncreasing } from './progress-not-increasing'
import { progressToken } from './progress-token'
import { requestMetaMissing } from './request-meta'
import { requestState } from './request-state'
import { responseId } from './response-id'
import { resultType } from './result-type'
import { serverRequest } from './server-request'
import { sessionId } from './session-id'
import { sseFields } from './sse-fields'
import { streamWithoutResult } from './stream-without-result'
import { subscription } from './subscription'

export type FindingRule = (call: JudgedCall) => Finding[]

/** Every rule. A rule says nothing about what was not recorded, or is not here whole. */
export const FINDING_RULES: readonly FindingRule[] = [
  notJsonRpc,
  requestMetaMissing,
  headerMismatch,
  acceptIncomplete,
  requestState,
  contentType,
  sessionId,
  sseFields,
  progressToken,
  progressNotIncreasing,
  logLevel,
  serverRequest,
  subscription,
  messageAfterResponse,
  streamWithoutResult,
  responseId,
  errorCode,
  resultType,
  inputRequired,
  cacheHints,
]

/** A stream of ten thousand bad frames makes its point with the first of them. */
export const MAX_FINDINGS_PER_RULE = 50

/** All findings of a call, in the order of its events. */
export function findingsOf(call: JudgedCall): Finding[] {
  const findings = FINDING_RULES.flatMap((rule) => findingsBy(rule, call))
  return findings.sort((a, b) => (a.seq ?? 0) - (b.seq ?? 0))
}

/** The findings of one rule, at most `MAX_FINDINGS_PER_RULE`. */
export function findingsBy(rule: FindingRule, call: JudgedCall): Finding[] {
  return rule(call).slice(0, MAX_FINDINGS_PER_RULE)
}
