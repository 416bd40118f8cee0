import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { createGateway } from '../../src/main/gateway/gateway'
import { call } from '../peers/raw-client'
import { serve } from '../peers/scripted-server'
import { answers, asking, capabilities, offer, resultOf } from './asking-backend'
import { configuration, keys, startBackend, startGateway } from './running-gateway'

describe('nothing is held between rounds', () => {
  const params = { name: 'book', arguments: { to: 'Paris' } }

  it('survives a restart, works on another instance with the key, and not on one without it', async () => {
    const backend = await startBackend(serve(offer(asking(['inner']))))
    const shared = keys('shared')
    const first = await startGateway({ b: backend }, {}, shared)
    const { requestState } = await resultOf(await call(first.one(), 'tools/call', params, { capabilities }))
    await first.gateway.close(0)
    const again = { capabilities, inputResponses: answers, requestState }
    const second = await startGateway({ b: backend }, {}, shared)
    expect((await resultOf(await call(second.one(), 'tools/call', params, again))).resultType).toBe('complete')
    const third = await startGateway({ b: backend }, {}, shared)
    expect((await resultOf(await call(third.one(), 'tools/call', params, again))).resultType).toBe('complete')
    const stranger = await startGateway({ b: backend }, {}, keys('shared'))
    expect(await (await call(stranger.one(), 'tools/call', params, again)).json()).toMatchObject({
      error: { data: { reason: 'unauthentic' } },
    })
    const other = await startGateway({ b: backend }, {}, keys('other'))
    expect(await (await call(other.one(), 'tools/call', params, again)).json()).toMatchObject({
      error: { data: { reason: 'unknown_key' } },
    })
  })

  it('rotates keys by kid: the new one seals, the old one still opens', async () => {
    const backend = await startBackend(serve(offer(asking(['one', 'two']))))
    const old = keys('old')
    const first = await startGateway({ b: backend }, {}, old)
    const { requestState } = await resultOf(await call(first.one(), 'tools/call', params, { capabilities }))
    const fresh = keys('fresh')
    const rotated = { current: 'fresh', secrets: new Map([...old.secrets, ...fresh.secrets]) }
    const second = await startGateway({ b: backend }, {}, rotated)
    const result = await resultOf(
      await call(second.one(), 'tools/call', params, { capabilities, inputResponses: answers, requestState }),
    )
    expect(JSON.parse(Buffer.from(result.requestState?.split('.')[0] ?? '', 'base64url').toString())).toMatchObject({
      kid: 'fresh',
    })
  })

  it('3 000 first rounds that nobody continues leave nothing in memory', async () => {
    const backend = await startBackend(serve(offer(asking(['inner'.repeat(2_000)]))))
    const quiet = { record: () => 1, nextCall: () => 1, nextExchange: () => 1 }
    const gateway = createGateway({
      configuration: configuration({ b: backend }),
      tap: quiet,
      stateKeys: keys(),
      version: '0',
    })
    await gateway.listen()
    try {
      const round = async (count: number): Promise<void> => {
        for (let done = 0; done < count; done += 50) {
          await Promise.all(
            Array.from({ length: 50 }, async () => {
              const answer = await call(`${gateway.base}/mcp/b`, 'tools/call', params, { capabilities })
              await answer.text()
            }),
          )
          backend.requests.length = 0
        }
      }
      await round(1_000)
      collect()
      const before = process.memoryUsage().heapUsed
      await round(3_000)
      collect()
      // Each round's state alone is 10 KB: what was held would be 30 MB.
      expect(process.memoryUsage().heapUsed - before).toBeLessThan(8 * 2 ** 20)
    } finally {
      await gateway.close(0)
    }
  }, 60_000)
})

function collect(): void {
  setFlagsFromString('--expose-gc')
  const gc = runInNewContext('gc') as () => void
  gc()
}
