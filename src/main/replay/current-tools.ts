import { isObject, type JsonObject } from '../../shared/protocol/json-rpc'
import { META } from '../../shared/protocol/meta'
import { MODERN_VERSION } from '../../shared/protocol/revisions'
import { toolsIn } from './plan-replay'
import type { ReplayTarget } from './replay-target'
import { GatewaySender } from './send-request'

const LIST_MS = 30_000
const MAX_PAGES = 100

/** Asks backends for their tools as they are now, to see which are read-only. A backend that gives no list has none. */
export function currentTools(
  target: ReplayTarget,
  version: string,
): (backend: string) => Promise<ReadonlyMap<string, JsonObject>> {
  return async (backend) => {
    const sender = new GatewaySender()
    const tools = new Map<string, JsonObject>()
    const signal = AbortSignal.timeout(LIST_MS)
    const _meta = {
      [META.protocolVersion]: MODERN_VERSION,
      [META.clientInfo]: { name: 'sluice-replay', version },
      [META.clientCapabilities]: {},
    }
    try {
      let cursor: string | undefined
      for (let page = 1; page <= MAX_PAGES; page++) {
        const params = { ...(cursor !== undefined && { cursor }), _meta }
        const message = { jsonrpc: '2.0', id: `tools-${page}`, method: 'tools/list', params }
        const { response } = await sender.post(
          target.endpoint(backend),
          message,
          [
            ['mcp-protocol-version', MODERN_VERSION],
            ['mcp-method', 'tools/list'],
          ],
          signal,
        )
        for (const tool of toolsIn(response.result)) if (typeof tool.name === 'string') tools.set(tool.name, tool)
        const next = isObject(response.result) ? response.result.nextCursor : undefined
        if (typeof next !== 'string' || next === cursor) break
        cursor = next
      }
      return tools
    } catch {
      // Without a list every tool is asked for; what is wrong with the backend, its calls will tell.
      return tools
    } finally {
      await sender.close()
    }
  }
}
