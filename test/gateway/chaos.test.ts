import { Agent } from 'node:http'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/shared/protocol/json-rpc'
import { call, modernRequest, send } from '../peers/raw-client'
import { serve, text } from '../peers/scripted-server'
import type { StubHandler } from '../peers/stub-backend'
import { startBackend, startGateway } from './running-gateway'

/** Numbers that look random and are the same in every run (mulberry32). */
function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

describe('everything at once', () => {
  for (const seed of [1, 2, 3]) {
    it(`300 calls, a third of them cancelled, backends that fail in every way (seed ${seed})`, async () => {
      const random = numbers(seed)
      const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, Math.floor(random() * 8)))
      const script: StubHandler = async (request, reply) => {
        const { key } = request.params.arguments as { key: string }
        const { progressToken } = request.params._meta as JsonObject
        const result = { jsonrpc: '2.0', id: request.id, result: { resultType: 'complete', ...text(key) } }
        const way = Math.floor(random() * 8)
        await pause()
        if (request.isAbandoned()) return
        if (way === 0) return reply.json(200, result)
        if (way === 1) return reply.reset()
        if (way === 2) return reply.page(503, 'text/html', '<html></html>')
        const stream = reply.sse()
        for (let progress = 1; progress <= way * 3 && !request.isAbandoned(); progress += 1) {
          stream.event({
            jsonrpc: '2.0',
            method: 'notifications/progress',
            params: { progressToken, progress, message: key },
          })
          if (random() < 0.3) await pause()
        }
        if (way === 3) return stream.destroy()
        if (way === 4) return stream.end()
        stream.event(result)
        if (way !== 5) stream.end()
      }
      const backend = await startBackend(serve({ tools: { t: { call: script } } }))
      const { all, one, tap } = await startGateway({ b: backend }, { deferralWindowMs: 4, pingIntervalMs: 10 })
      const agent = new Agent({ keepAlive: true, maxSockets: 64 })
      const calls = 300
      let cancelled = 0
      await Promise.all(
        Array.from({ length: calls }, async (_, number) => {
          await pause()
          const key = `call ${number}`
          const id = number % 5
          const onAll = random() < 0.5
          const { body, headers } = modernRequest(
            'tools/call',
            { name: onAll ? 'b__t' : 't', arguments: { key } },
            { id, ...(random() < 0.7 ? { progressToken: `token ${number % 3}` } : {}) },
          )
          const exchange = send(onAll ? all : one(), body, headers, { agent })
          if (random() < 0.33) {
            await pause()
            exchange.destroy()
            cancelled += 1
            return
          }
          const received = await exchange.messages()
          const last = received.at(-1)
          expect(last?.id).toBe(id)
          if (last?.error === undefined) expect(last?.result).toMatchObject(text(key))
          else expect(last.error).toMatchObject({ code: -32603, data: { backend: 'b' } })
          const progress = received
            .slice(0, -1)
            .map((message) => message.params as { progress: number; message: string })
          expect(progress.map((step) => step.message)).toEqual(progress.map(() => key))
          expect(progress.map((step) => step.progress)).toEqual(progress.map((_step, at) => at + 1))
        }),
      )
      agent.destroy()
      expect(cancelled).toBeGreaterThan(50)
      await tap.until('call.ended', tap.of('call.received').length)
      const ended = tap.of('call.ended').map((event) => event.call)
      expect(new Set(ended).size).toBe(ended.length)
      expect((await call(one(), 'tools/list')).status).toBe(200)
    })
  }
})
