import { decodeHeaderValue } from '../protocol/header-value'
import type { JsonValue } from '../protocol/json-rpc'
import { META } from '../protocol/meta'
import { mirroredNameParam } from '../protocol/methods'
import { header, requestMeta, shown } from './facts'
import type { Finding, JudgedCall } from './finding'
import { found } from './found'

/** Header fields mirror the body (basic/transports/streamable-http, "Standard headers"). */
export function headerMismatch(call: JudgedCall): Finding[] {
  const { request, summary } = call
  const meta = requestMeta(call)
  if (request === null || meta === undefined || summary.era !== 'modern') return []
  const { message, http } = request
  const method = message.method ?? ''
  const findings: Finding[] = []
  const check = (name: string, expected: JsonValue | undefined, encoded: boolean): void => {
    if (typeof expected !== 'string') return
    const raw = header(http.headers, name.toLowerCase())?.trim()
    const value = raw !== undefined && encoded ? decodeHeaderValue(raw) : raw
    if (value === expected || value?.startsWith('«redacted ') === true) return
    const problem =
      raw === undefined
        ? `is missing; the body says ${shown(expected)}`
        : value === undefined
          ? `has an encoding that cannot be read`
          : `says ${shown(value)}, and the body says ${shown(expected)}`
    findings.push(
      found({
        rule: raw === undefined ? 'header-missing' : 'header-mismatch',
        message: `The header field ${name} ${problem}.`,
        seq: request.seq,
      }),
    )
  }
  check('MCP-Protocol-Version', meta[META.protocolVersion], false)
  check('Mcp-Method', method, false)
  const param = mirroredNameParam(method)
  if (param !== undefined) check('Mcp-Name', message.params?.[param], true)
  return findings
}
