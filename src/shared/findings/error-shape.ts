import type { UpstreamFrameRecord } from '../capture/record'
import { readSseBlock, type Message } from '../capture/message'
import { ErrorCode } from '../protocol/errors'
import { isObject, type JsonValue } from '../protocol/json-rpc'
import { isLegacyExchange, parsed, shown, terminalFrame } from './facts'
import type { Finding, JudgedCall } from './finding'
import { Report } from './report'
import { isRedacted, mayBeList, mayBeObject, mayBeText } from './shapes'

/** An error has a whole number and a text, and those of the protocol have their data (basic/index; basic/versioning). */
export function errorShape(call: JudgedCall): Finding[] {
  const findings: Finding[] = []
  for (const exchange of call.exchanges) {
    const frame = terminalFrame(exchange)
    const error = frame?.message.error
    if (frame === undefined || error === undefined) continue
    const legacy = isLegacyExchange(call, exchange)
    const report = new Report(findings, frame.seq, legacy)
    if (!Number.isInteger(error.code))
      report.add('error-object-invalid', `The error code is ${error.code}; it must be a whole number.`)
    if (error.message === '' && !hasMessage(frame)) report.add('error-object-invalid', 'The error has no message.')
    if (!legacy) checkData(error.code, error.data, report)
  }
  return findings
}

/** Only errors without a text are read again: a message that is no string reads as an empty one. */
function hasMessage({ form, raw }: UpstreamFrameRecord & { message: Message }): boolean {
  const message = parsed((form === 'event' ? readSseBlock(raw.text).data : raw.text) ?? '')
  return isObject(message) && isObject(message.error) && typeof message.error.message === 'string'
}

function checkData(code: number, data: JsonValue | undefined, report: Report): void {
  if (isRedacted(data)) return
  const given = isObject(data) ? data : {}
  if (code === ErrorCode.UnsupportedProtocolVersion) {
    if (!mayBeList(given.supported))
      report.add('error-data-missing', `data.supported is ${shown(given.supported)}; it must list the versions.`)
    if (!mayBeText(given.requested))
      report.add(
        'error-data-missing',
        `data.requested is ${shown(given.requested)}; it must be the version that was asked for.`,
      )
  }
  if (code === ErrorCode.MissingRequiredClientCapability && !mayBeObject(given.requiredCapabilities)) {
    report.add(
      'error-data-missing',
      `data.requiredCapabilities is ${shown(given.requiredCapabilities)}; it must be an object of capabilities.`,
    )
  }
}
