import { afterEach, beforeEach, expect, it } from 'vitest'
import { type DemoBackends, startDemoBackends } from '../../src/main/demo/demo'
import { createDemoClient, type DemoClient } from '../../src/main/demo/demo-client'
import { createGateway, type Gateway } from '../../src/main/gateway/gateway'
import { Configuration } from '../../src/shared/config/schema'
import type { NewCaptureEvent } from '../../src/shared/capture/events'

let demo: DemoBackends
let gateway: Gateway
let client: DemoClient
const events: NewCaptureEvent[] = []
const problems: string[] = []

beforeEach(async () => {
  demo = await startDemoBackends()
  let call = 0
  let exchange = 0
  gateway = createGateway({
    configuration: Configuration.parse({
      gateway: { port: 0, deferralWindowMs: 300, pingIntervalMs: 100 },
      mcpServers: demo.mcpServers,
    }),
    tap: { record: (event) => events.push(event), nextCall: () => ++call, nextExchange: () => ++exchange },
    stateKeys: { current: 'k', secrets: new Map([['k', new Uint8Array(32)]]) },
    version: '0.0.0',
  })
  await gateway.listen()
  client = createDemoClient({ endpoint: `${gateway.base}/mcp`, onProblem: (text) => problems.push(text), paceMs: 20 })
})
afterEach(async () => {
  await client.stop()
  await gateway.close(100)
  await demo.close()
})

/** What a newcomer shall have seen: how answers were committed, and how calls ended. */
function seen(): string[] {
  const kinds = events.flatMap((event) => {
    if (event.kind === 'response.committed') return [`${event.form} by ${event.cause}`]
    if (event.kind === 'call.ended') return [`${event.outcome} by ${event.by}`]
    return event.kind === 'response.ping' || event.kind === 'response.withheld' || event.kind === 'state.opened'
      ? [event.kind]
      : []
  })
  return [...new Set(kinds)]
}

it('shows a bit of everything, without a problem of its own, and stops when told', async () => {
  client.start()
  expect(client.running).toBe(true)
  await expect
    .poll(seen, { timeout: 15_000 })
    .toEqual(
      expect.arrayContaining([
        'json by result',
        'json by error',
        'sse by notification',
        'sse by window',
        'result by backend',
        'result by gateway',
        'tool-error by backend',
        'error by backend',
        'error by gateway',
        'input-required by backend',
        'cancelled by client',
        'response.ping',
        'response.withheld',
        'state.opened',
      ]),
    )
  await client.stop()
  expect(client.running).toBe(false)
  const calls = events.filter((event) => event.kind === 'call.received').length

  client.start()
  await expect.poll(() => events.filter((event) => event.kind === 'call.received').length).toBeGreaterThan(calls)
  await client.stop()
  expect(problems).toEqual([])
})
