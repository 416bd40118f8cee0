import { isObject } from '../protocol/json-rpc'
import { META } from '../protocol/meta'
import { requestMeta } from './facts'
import type { Finding, JudgedCall } from './finding'
import { found } from './found'

/** Every request carries its protocol version and the client's capabilities (basic/index, "_meta"). */
export function requestMetaMissing(call: JudgedCall): Finding[] {
  const meta = requestMeta(call)
  if (meta === undefined || call.summary.era !== 'modern') return []
  const findings: Finding[] = []
  const add = (key: string, problem: string): void => {
    findings.push(
      found({
        rule: 'request-meta-missing',
        message: `params._meta["${key}"] ${problem}; every request must carry it.`,
        seq: call.request?.seq ?? null,
      }),
    )
  }
  if (typeof meta[META.protocolVersion] !== 'string') add(META.protocolVersion, 'is missing')
  const capabilities = meta[META.clientCapabilities]
  if (!isObject(capabilities)) add(META.clientCapabilities, capabilities === undefined ? 'is missing' : 'is no object')
  return findings
}
