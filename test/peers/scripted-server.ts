import type { JsonObject } from '../../src/shared/protocol/json-rpc'
import type { StubHandler } from './stub-backend'

/** What a scripted server offers; a list member that is absent is an empty list. Functions answer by hand. */
export interface Offer {
  capabilities?: JsonObject
  tools?: Record<string, { descriptor?: JsonObject; call?: StubHandler }>
  prompts?: Record<string, { descriptor?: JsonObject; get?: StubHandler }>
  resources?: Record<string, { descriptor?: JsonObject; read?: StubHandler }>
  templates?: JsonObject[]
  ttlMs?: number
  cacheScope?: 'public' | 'private'
  serverInfo?: { name: string; version: string }
  /** Answers a method before anything else does. */
  methods?: Record<string, StubHandler>
}

/** A modern server as a stub script: discover and the lists from `offer`, calls by name to the script given there. */
export function serve(offer: Offer): StubHandler {
  const tools = offer.tools ?? {}
  const prompts = offer.prompts ?? {}
  const resources = offer.resources ?? {}
  const hints = { ttlMs: offer.ttlMs ?? 0, cacheScope: offer.cacheScope ?? 'private' }
  const serverInfo = offer.serverInfo ?? { name: 'scripted', version: '1.0.0' }
  const meta = { _meta: { 'io.modelcontextprotocol/serverInfo': serverInfo } }

  return (request, reply) => {
    const own = offer.methods?.[request.method]
    if (own) return own(request, reply)
    if (request.id === undefined) {
      reply.response.writeHead(202).end()
      return
    }
    switch (request.method) {
      case 'server/discover': {
        const capabilities = offer.capabilities ?? {
          tools: {},
          prompts: {},
          resources: {},
          logging: {},
          completions: {},
        }
        return reply.result({ supportedVersions: ['2026-07-28'], capabilities, ...hints, ...meta })
      }
      case 'tools/list':
        return reply.result({
          tools: Object.entries(tools).map(([name, tool]) => ({
            name,
            inputSchema: { type: 'object' },
            ...tool.descriptor,
          })),
          ...hints,
          ...meta,
        })
      case 'prompts/list':
        return reply.result({
          prompts: Object.entries(prompts).map(([name, prompt]) => ({ name, ...prompt.descriptor })),
          ...hints,
          ...meta,
        })
      case 'resources/list':
        return reply.result({
          resources: Object.entries(resources).map(([uri, resource]) => ({ uri, name: uri, ...resource.descriptor })),
          ...hints,
          ...meta,
        })
      case 'resources/templates/list':
        return reply.result({ resourceTemplates: offer.templates ?? [], ...hints, ...meta })
      case 'tools/call': {
        const call = tools[request.name]?.call
        if (call) return call(request, reply)
        return reply.error(200, { code: -32602, message: `Tool ${request.name} not found` })
      }
      case 'prompts/get': {
        const get = prompts[request.name]?.get
        if (get) return get(request, reply)
        return reply.error(200, { code: -32602, message: `Prompt ${request.name} not found` })
      }
      case 'resources/read': {
        const read = resources[request.name]?.read
        if (read) return read(request, reply)
        return reply.error(200, { code: -32602, message: 'Resource not found', data: { uri: request.name } })
      }
      default:
        return reply.error(404, { code: -32601, message: 'Method not found' })
    }
  }
}

/** A tool result with one text. */
export function text(value: string): JsonObject {
  return { content: [{ type: 'text', text: value }] }
}
