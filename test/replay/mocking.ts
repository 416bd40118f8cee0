import type { JsonObject } from '../../src/shared/protocol/json-rpc'
import { startBackend, startGateway, type Running } from '../gateway/running-gateway'
import { modernRequest, send } from '../peers/raw-client'
import { serve, type Offer } from '../peers/scripted-server'
import { MemoryCaptures } from './memory-captures'

/** The file name of the capture in memory. */
export const FILE = '/captures/friday.ndjson'

export interface Asked {
  method: string
  params?: JsonObject
  meta?: JsonObject
  capabilities?: JsonObject
  inputResponses?: JsonObject
  requestState?: string
}

export const call = (name: string, args: JsonObject = {}, more: Omit<Asked, 'method' | 'params'> = {}): Asked => ({
  method: 'tools/call',
  params: { name, arguments: args },
  ...more,
})

/** Asks as a modern client. */
export async function ask(url: string, { method, params = {}, ...more }: Asked): Promise<JsonObject> {
  const { body, headers } = modernRequest(method, params, more)
  return send(url, body, headers).answer()
}

/** Records what a server answers to `asked`, and replays it. */
export async function recorded(
  offer: Offer,
  asked: Asked[],
  config: JsonObject = {},
): Promise<{ were: JsonObject[]; mock: Running; captures: MemoryCaptures; live: Running }> {
  const live = await startGateway({ weather: await startBackend(serve(offer)) })
  const were: JsonObject[] = []
  for (const one of asked) were.push(await ask(live.one(), one))
  const captures = new MemoryCaptures()
  captures.set(FILE, live.tap.events)
  return { were, mock: await mocked(captures, config), captures, live }
}

/** A gateway with one backend that replays the capture. */
export function mocked(captures: MemoryCaptures, config: JsonObject = {}, name = 'weather'): Promise<Running> {
  const backend = { type: 'replay', file: FILE, pace: 'at-once', ...config }
  return startGateway({ [name]: backend }, {}, undefined, { captures })
}

export const resultOf = (answer: JsonObject): JsonObject => answer.result as JsonObject
export const errorOf = (answer: JsonObject): JsonObject => answer.error as JsonObject
export const textOf = (answer: JsonObject): unknown => (resultOf(answer).content as JsonObject[])[0]?.text
