import type { JsonObject } from '../../src/shared/protocol/json-rpc'
import { modernRequest, type ModernOptions } from '../peers/raw-client'
import { serve, text } from '../peers/scripted-server'
import { startBackend, startGateway, type Running } from './running-gateway'

/** A gateway before one backend with the tool `echo`, which counts its calls. */
export const running = async (settings: Record<string, unknown> = {}): Promise<Running & { calls: () => number }> => {
  const backend = await startBackend(
    serve({ tools: { echo: { call: (request, reply) => reply.result(text(String(request.name))) } } }),
  )
  return { ...(await startGateway({ echo: backend }, settings)), calls: () => backend.of('tools/call').length }
}
export const list = (options: ModernOptions = {}) => modernRequest('tools/list', {}, options)
export const errorOf = (answer: JsonObject): { code: number; message: string; data?: JsonObject } =>
  answer.error as never
