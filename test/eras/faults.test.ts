import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { expect, it, onTestFinished } from 'vitest'
import { startGateway, type Running } from '../gateway/running-gateway'
import { modernRequest, send } from '../peers/raw-client'
import { startV1Http } from '../peers/v1-http'
import { startV2Http } from '../peers/v2-http'

/**
 * Backends of every kind are killed at random under load. The gateway goes on answering, every call ends, and afterwards
 * nothing is left that was not there before.
 */
const SEED = 20_260_728
const KILLS = 30
/** A call that takes longer hangs: nothing here needs a second, and clients would wait for 60. */
const CALL_MS = 10_000
/** A process needs some time to start; one that is killed before would never serve a call. */
const ANOTHER_LIFE_MS = 2_000
const BUSY_CLIENTS = 3
/** Pools keep idle connections, and timers of both sides run on. */
const SLACK = 8

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

interface Victim {
  name: string
  /** A tool that does not answer. */
  silent: string
  kill(running: Running): Promise<void> | void
}

interface HttpPeer {
  url: string
  close(): Promise<void>
}

/** An HTTP backend that comes back at the same port. */
async function httpVictim(
  name: string,
  start: (port: number) => Promise<HttpPeer>,
): Promise<Victim & { config: Record<string, unknown> }> {
  let peer = await start(0)
  onTestFinished(() => peer.close())
  const port = Number(new URL(peer.url).port)
  const kill = async (): Promise<void> => {
    await peer.close()
    peer = await start(port)
  }
  return { name, silent: 'wait', kill, config: { url: peer.url } }
}

function stdioVictim(name: string, ...modes: string[]): Victim & { config: Record<string, unknown> } {
  const script = fileURLToPath(new URL('../peers/servers/scripted-stdio.mjs', import.meta.url))
  const kill = ({ tap }: Running): void => {
    const lives: { backend: string; text?: string }[] = [...tap.of('backend.started'), ...tap.of('backend.restarted')]
    const pid = Number(/process (\d+)/.exec(lives.findLast(({ backend }) => backend === name)?.text ?? '')?.[1])
    try {
      process.kill(pid, 'SIGKILL')
    } catch (error) {
      // Between two lives there is no process.
      if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
    }
  }
  return { name, silent: 'never', kill, config: { type: 'stdio', command: process.execPath, args: [script, ...modes] } }
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

async function modernCall(running: Running, tool: string, text = ''): Promise<void> {
  const request = modernRequest('tools/call', { name: tool, arguments: { text } })
  const { error } = await send(running.all, request.body, request.headers).answer()
  if (error !== undefined) throw new Error(JSON.stringify(error))
}

function resources(): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const kind of process.getActiveResourcesInfo()) counts[kind] = (counts[kind] ?? 0) + 1
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
  const running = await startGateway(
    Object.fromEntries(victims.map(({ name, config }) => [name, config])),
    {},
    undefined,
    { timing: { restartPausesMs: [20], probePausesMs: [50], steadyMs: 0, resumeMs: 50 } },
  )
  await running.tap.until('backend.catalog', victims.length)
  const transports = new Map<Client, StreamableHTTPClientTransport>()
  const connect = async (): Promise<Client> => {
    const client = new Client({ name: 'legacy', version: '1' })
    const transport = new StreamableHTTPClientTransport(new URL(running.all))
    transports.set(client, transport)
    await client.connect(transport)
    return client
  }
  // A session that nobody ends keeps its streams upstream until it was idle for long.
  const leave = async (client: Client): Promise<void> => {
    await transports.get(client)?.terminateSession()
    await client.close()
  }
  const echoes = async (client: Client): Promise<void> => {
    for (const { name } of victims) {
      const echo = `${name}__echo`
      await expect.poll(() => ending(modernCall(running, echo, 'x'), echo), { timeout: CALL_MS }).toBe('answered')
      const asked = (): Promise<unknown> => client.callTool({ name: echo, arguments: { text: 'x' } })
      await expect.poll(() => ending(asked(), echo), { timeout: CALL_MS }).toBe('answered')
    }
  }
  const warm = await connect()
  await echoes(warm)
  await leave(warm)
  const before = resources()

  const clients = await Promise.all(Array.from({ length: BUSY_CLIENTS }, connect))
  const over = new AbortController()
  const counts = { answered: 0, failed: 0, discovered: 0 }
  const load = clients.map(async (client, index) => {
    for (let turn = index; !over.signal.aborted; turn++) {
      const name = `${victims[turn % victims.length]?.name ?? ''}__echo`
      const modern = turn % 2 === 0
      const call = modern ? modernCall(running, name, 'y') : client.callTool({ name, arguments: { text: 'y' } })
      counts[await ending(call, name)]++
    }
  })
  const pulse = (async () => {
    while (!over.signal.aborted) {
      const request = modernRequest('server/discover')
      const { result } = await send(running.all, request.body, request.headers).answer()
      expect(result).toBeDefined()
      counts.discovered++
      await pause(20)
    }
  })()

  for (let kill = 1; kill <= KILLS; kill++) {
    const victim = victims[random(victims.length)] ?? victims[0]
    if (victim === undefined) break
    const silent = `${victim.name}__${victim.silent}`
    const waiting = [
      ending(modernCall(running, silent), `kill ${kill}, modern ${silent}`),
      ending((clients[0] ?? warm).callTool({ name: silent, arguments: {} }), `kill ${kill}, legacy ${silent}`),
    ]
    await pause(random(60))
    // A call that comes when its backend is just away waits for the next life of it, and ends with that.
    let waits = true
    const ended = Promise.all(waiting).finally(() => (waits = false))
    while (waits) {
      await victim.kill(running)
      await Promise.race([ended, pause(ANOTHER_LIFE_MS)])
    }
    expect(await ended).toEqual(['failed', 'failed'])
  }
  over.abort()
  await Promise.all([...load, pulse])
  const last = await connect()
  await echoes(last)
  for (const client of [...clients, last]) await leave(client)

  expect(counts.answered).toBeGreaterThan(KILLS)
  expect(counts.discovered).toBeGreaterThan(KILLS)
  const unended = (): number => running.tap.of('call.received').length - running.tap.of('call.ended').length
  await expect.poll(unended, { timeout: 5_000 }).toBe(0)
  for (const [kind, most] of Object.entries(before))
    await expect.poll(() => resources()[kind] ?? 0, { timeout: 5_000, message: kind }).toBeLessThanOrEqual(most + SLACK)
  expect(resources().ProcessWrap).toBe(before.ProcessWrap)
}, 120_000)
