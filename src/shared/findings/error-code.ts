import { modernExchanges, terminalFrame } from './facts'
import type { Finding, JudgedCall } from './finding'
import { found } from './found'

/** Codes that were given up in 2026-07-28 (basic/index, "Error codes"; changelog). */
const GIVEN_UP: ReadonlyMap<number, string> = new Map([
  [-32002, 'a resource that is not found is -32602 now'],
  [-32042, 'a URL elicitation is asked for by input_required now'],
])
const DEFINED: ReadonlySet<number> = new Set([-32020, -32021, -32022])

/** -32020…-32099 are the specification's own; codes that were given up must not be sent (basic/index, "Error codes"). */
export function errorCode(call: JudgedCall): Finding[] {
  const findings: Finding[] = []
  for (const exchange of modernExchanges(call)) {
    const frame = terminalFrame(exchange)
    const code = frame?.message.error?.code
    if (frame === undefined || code === undefined) continue
    const givenUp = GIVEN_UP.get(code)
    const reserved = code <= -32020 && code >= -32099 && !DEFINED.has(code) && givenUp === undefined
    if (givenUp === undefined && !reserved) continue
    findings.push(
      found({
        rule: reserved ? 'error-code-reserved' : 'error-code-given-up',
        message: reserved
          ? `The error code ${code} is kept for the specification, which does not define it.`
          : `The error code ${code} was given up: ${givenUp}.`,
        seq: frame.seq,
      }),
    )
  }
  return findings
}
