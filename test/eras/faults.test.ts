import { setTimeout as pause } from 'node:timers/promises'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { expect, it } from 'vitest'
import { modernRequest, send } from '../peers/raw-client'
import { startV1Http } from '../peers/v1-http'
import { startV2Http } from '../peers/v2-http'
import { startGatewayChild, type GatewayChild } from './gateway-child'
import type { Holdings } from './gateway-process'
import { httpVictim, stdioVictim, type Victim } from './victims'

/**
 * Backends of every kind are killed at random under load. The gateway goes on answering, every call ends, and afterwards
 * its process holds what it held before.
 */
const SEED = 20_260_728
/** Kills before what the gateway holds is measured first: code is compiled and pools are filled by then. */
const WARMING = 20
const KILLS = 100
/** A call that takes longer hangs: nothing here needs a second, and clients would wait for 60. */
const CALL_MS = 10_000
/** A process needs some time to start; one that is killed before would never serve a call. */
const ANOTHER_LIFE_MS = 1_000
const BUSY_CLIENTS = 3
/** Between two calls of a busy client: the machine also has processes to start. */
const BREATH_MS = 4
/** What is left when the last call has ended goes within this time: idle connections, timers of both sides. */
const SETTLE_MS = 15_000
/**
 * The heap may be this much larger after the kills and some thousands of calls than before: it grows by 1 to 1.5 MB, most
 * of it in the first 50 kills, and then stays. What were kept of each kill would be seen from 30 KB on, and what were kept
 * of each call from some hundred bytes on.
 */
const HEAP_SLACK_BYTES = 3_000_000
/** Idle connections of pools come and go with time, not with kills. */
const SLACK = 4

/** The same numbers for the same seed (mulberry32), below `limit`. */
function randomNumbers(seed: number): (limit: number) => number {
  let state = seed
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * limit)
  }
}

/** Resolves with how the call ended, in a word; rejects when it hangs. */
async function ending(call: Promise<unknown>, what: string): Promise<'answered' | 'failed'> {
  const over = new AbortController()
  const hangs = pause(CALL_MS, undefined, { signal: over.signal }).then(
    () => Promise.reject(new Error(`${what} hangs`)),
    () => 'failed' as const,
  )
  const ended = call.then(
    () => 'answered' as const,
    () => 'failed' as const,
  )
  const how = await Promise.race([ended, hangs])
  over.abort()
  return how
}

async function modernCall(gateway: GatewayChild, tool: string, text = ''): Promise<void> {
  const request = modernRequest('tools/call', { name: tool, arguments: { text } })
  const { error } = await send(gateway.all, request.body, request.headers).answer()
  if (error !== undefined) throw new Error(JSON.stringify(error))
}

/** A legacy client; `leave` ends its session, whose streams upstream the gateway would else keep for a while. */
async function connect(gateway: GatewayChild): Promise<{ client: Client; leave(): Promise<void> }> {
  const client = new Client({ name: 'legacy', version: '1' })
  const transport = new StreamableHTTPClientTransport(new URL(gateway.all))
  await client.connect(transport)
  const leave = async (): Promise<void> => {
    await transport.terminateSession()
    await client.close()
  }
  return { client, leave }
}

/** Every backend answers clients of both eras again. */
async function echoes(gateway: GatewayChild, victims: readonly Victim[]): Promise<void> {
  const { client, leave } = await connect(gateway)
  for (const { name } of victims) {
    const echo = `${name}__echo`
    await expect.poll(() => ending(modernCall(gateway, echo, 'x'), echo), { timeout: CALL_MS }).toBe('answered')
    const asked = (): Promise<unknown> => client.callTool({ name: echo, arguments: { text: 'x' } })
    await expect.poll(() => ending(asked(), echo), { timeout: CALL_MS }).toBe('answered')
  }
  await leave()
}

/** Kills under load; resolves with how many calls were answered and failed, and how often the gateway itself answered. */
async function killed(
  gateway: GatewayChild,
  victims: readonly Victim[],
  kills: number,
  random: (limit: number) => number,
): Promise<{ answered: number; failed: number; discovered: number }> {
  const sessions = await Promise.all(Array.from({ length: BUSY_CLIENTS }, () => connect(gateway)))
  const over = new AbortController()
  const counts = { answered: 0, failed: 0, discovered: 0 }
  const load = sessions.map(async ({ client }, index) => {
    for (let turn = index; !over.signal.aborted; turn++) {
      const name = `${victims[turn % victims.length]?.name ?? ''}__echo`
      const modern = turn % 2 === 0
      const call = modern ? modernCall(gateway, name, 'y') : client.callTool({ name, arguments: { text: 'y' } })
      counts[await ending(call, name)]++
      await pause(BREATH_MS)
    }
  })
  const pulse = (async () => {
    while (!over.signal.aborted) {
      const request = modernRequest('server/discover')
      const { result } = await send(gateway.all, request.body, request.headers).answer()
      expect(result).toBeDefined()
      counts.discovered++
      await pause(20)
    }
  })()
  for (let kill = 1; kill <= kills; kill++) {
    const victim = victims[random(victims.length)]
    const session = sessions[0]
    if (victim === undefined || session === undefined) throw new Error('there is nobody to kill')
    const silent = `${victim.name}__${victim.silent}`
    const waiting = [
      ending(modernCall(gateway, silent), `kill ${kill}, modern ${silent}`),
      ending(session.client.callTool({ name: silent, arguments: {} }), `kill ${kill}, legacy ${silent}`),
    ]
    await pause(random(60))
    // A call that comes when its backend is just away waits for the next life of it, and ends with that.
    let waits = true
    const ended = Promise.all(waiting).finally(() => (waits = false))
    while (waits) {
      await victim.kill(gateway)
      await Promise.race([ended, pause(ANOTHER_LIFE_MS)])
    }
    expect(await ended).toEqual(['failed', 'failed'])
  }
  over.abort()
  await Promise.all([...load, pulse])
  for (const { leave } of sessions) await leave()
  return counts
}

it(`${KILLS} random kills under load: every call ends, the gateway answers, nothing is left`, async () => {
  const random = randomNumbers(SEED)
  const victims = [
    await httpVictim('modern-http', startV2Http),
    await httpVictim('legacy-http', (port) => startV1Http({ port })),
    stdioVictim('modern-stdio', 'modern'),
    stdioVictim('legacy-stdio'),
  ]
  const gateway = await startGatewayChild(Object.fromEntries(victims.map(({ name, config }) => [name, config])), {
    restartPausesMs: [20],
    probePausesMs: [50],
    steadyMs: 0,
    resumeMs: 50,
  })
  await gateway.learned
  /** As soon as nothing is left of the load. */
  const settled = async (most: Partial<Holdings>): Promise<Holdings> => {
    let held = await gateway.measure()
    const until = performance.now() + SETTLE_MS
    const isMore = ({ descriptors, calls }: Holdings): boolean => calls > 0 || descriptors > (most.descriptors ?? 0)
    while (isMore(held) && performance.now() < until) {
      await pause(250)
      held = await gateway.measure()
    }
    return held
  }
  await killed(gateway, victims, WARMING, random)
  await echoes(gateway, victims)
  const before = await settled({})

  const counts = await killed(gateway, victims, KILLS, random)
  expect(counts.answered).toBeGreaterThan(KILLS)
  expect(counts.discovered).toBeGreaterThan(KILLS)
  await echoes(gateway, victims)
  const after = await settled({ descriptors: before.descriptors + SLACK })
  expect(after.calls).toBe(0)
  expect(after.descriptors).toBeLessThanOrEqual(before.descriptors + SLACK)
  for (const [kind, count] of Object.entries(after.resources))
    expect(count, kind).toBeLessThanOrEqual((before.resources[kind] ?? 0) + SLACK)
  expect(after.resources.ProcessWrap).toBe(before.resources.ProcessWrap)
  expect(after.heapBytes - before.heapBytes).toBeLessThan(HEAP_SLACK_BYTES)
}, 300_000)
