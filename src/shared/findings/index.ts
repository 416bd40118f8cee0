import { acceptIncomplete } from './accept'
import { answerStatus } from './answer-status'
import { cacheHints } from './cache-hints'
import { contentType } from './content-type'
import { errorCode } from './error-code'
import { errorShape } from './error-shape'
import { featureResults } from './feature-results'
import type { Finding, JudgedCall } from './finding'
import { MAX_FINDINGS_PER_RULE } from './found'
import { headerMismatch } from './header-mismatch'
import { inputRequired } from './input-required'
import { inputResponses } from './input-responses'
import { legacyAnswers } from './legacy-answers'
import { lists } from './lists'
import { logLevel } from './log-level'
import { messageAfterResponse } from './message-after-response'
import { notJsonRpc } from './not-json-rpc'
import { notifications } from './notifications'
import { progressNotIncreasing } from './progress-not-increasing'
import { progressToken } from './progress-token'
import { questions } from './questions'
import { requestMetaMissing } from './request-meta'
import { requestParameters } from './request-params'
import { requestState } from './request-state'
import { responseId } from './response-id'
import { resultObject } from './result-object'
import { resultType } from './result-type'
import { serverRequest } from './server-request'
import { sessionId } from './session-id'
import { sseFields } from './sse-fields'
import { streamWithoutResult } from './stream-without-result'
import { subscription } from './subscription'
import { taskResult } from './task-result'
import { toolResult } from './tool-result'

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
  resultObject,
  toolResult,
  lists,
  featureResults,
  taskResult,
  errorShape,
  answerStatus,
  notifications,
  requestParameters,
  questions,
  inputResponses,
  legacyAnswers,
]

export { MAX_FINDINGS_PER_RULE }

/** All findings of a call, in the order of its events. */
export function findingsOf(call: JudgedCall): Finding[] {
  const findings = FINDING_RULES.flatMap((rule) => findingsBy(rule, call))
  return findings.sort((a, b) => (a.seq ?? 0) - (b.seq ?? 0))
}

/** The findings of one rule, at most `MAX_FINDINGS_PER_RULE`. */
export function findingsBy(rule: FindingRule, call: JudgedCall): Finding[] {
  const found = rule(call)
  return found.length > MAX_FINDINGS_PER_RULE ? found.slice(0, MAX_FINDINGS_PER_RULE) : found
}
