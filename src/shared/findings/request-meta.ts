import { isObject } from '../protocol/json-rpc'
import { META } from '../protocol/meta'
import { requestMeta } from './facts'
import type { Finding, JudgedCall } from './finding'

/** Every request carries its protocol version and the client's capabilities (basic/index, "_meta"). */
export function requestMetaMissing(call: JudgedCall): Finding[] {
  const meta = requestMeta(call)
  if (meta === undefined || call.summary.era !== 'modern') return []
  const findings: Finding[] = []
  const add = (key: string, problem: string): void => {
    findings.push({
      rule: 'request-meta-missing',
      severity: 'error',
      leg: 'client',
      message: `params._meta["${key}"] ${problem}; every request must carry it.`,
      spec: 'basic/index',
      ...(call.request !== null && { seq: call.request.seq }),
    })
  }
  if (typeof meta[META.protocolVersion] !== 'string') add(META.protocolVersion, 'is missing')
  const capabilities = meta[META.clientCapabilities]
  if (!isObject(capabilities)) add(META.clientCapabilities, capabilities === undefined ? 'is missing' : 'is no object')
  return findings
}
