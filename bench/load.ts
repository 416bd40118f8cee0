import { Pool } from 'undici'
import { PROGRESS_FRAMES, type Measured, type Order } from './scenarios'

/** The load generator: a process of its own, which takes orders over IPC and answers each with what it measured. */
const WARM_UP_SECONDS = 0.4
const NS_PER_MS = 1e6

let lastId = 0
let failures = 0

interface Timing {
  calls: number[]
  frames: number[]
}

process.on('message', (order: Order) => {
  measure(order).then(
    (measured) => process.send?.(measured),
    (error: unknown) => {
      console.error(error)
      process.exit(1)
    },
  )
})
// Without its parent there is nobody to measure for.
process.on('disconnect', () => process.exit())

async function measure(order: Order): Promise<Measured> {
  const { origin, pathname } = new URL(order.url)
  const pool = new Pool(origin, { connections: order.connections, pipelining: 1 })
  const timing: Timing = { calls: [], frames: [] }
  const run = async (seconds: number): Promise<number> => {
    const begin = performance.now()
    const until = begin + seconds * 1000
    await Promise.all(
      Array.from({ length: order.connections }, async () => {
        while (performance.now() < until) await oneCall(pool, pathname, order, timing)
      }),
    )
    return (performance.now() - begin) / 1000
  }
  await run(WARM_UP_SECONDS)
  const warmUpCalls = timing.calls.length
  timing.calls = []
  timing.frames = []
  failures = 0
  const seconds = await run(order.seconds)
  await pool.close()
  const calls = timing.calls.sort((one, other) => one - other)
  const frames = timing.frames.sort((one, other) => one - other)
  return {
    calls: calls.length,
    allCalls: warmUpCalls + calls.length,
    failures,
    callsPerSecond: calls.length / seconds,
    p50: quantile(calls, 0.5),
    p99: quantile(calls, 0.99),
    ...(frames.length > 0 ? { frameP50: quantile(frames, 0.5), frameP99: quantile(frames, 0.99) } : {}),
  }
}

async function oneCall(pool: Pool, path: string, order: Order, timing: Timing): Promise<void> {
  const begin = process.hrtime.bigint()
  if (order.tool === 'progress') await progressCall(pool, path, order, timing)
  else if (order.tool === 'rounds') await roundsCall(pool, path, order)
  else check((await post(pool, path, order)).includes('"resultType":"complete"'))
  timing.calls.push(Number(process.hrtime.bigint() - begin) / NS_PER_MS)
}

async function roundsCall(pool: Pool, path: string, order: Order): Promise<void> {
  let more = ''
  for (let round = 1; round <= 3; round += 1) {
    const body = await post(pool, path, order, more)
    const state = /"requestState":("[^"]+")/.exec(body)?.[1]
    check(round === 3 ? body.includes('"resultType":"complete"') : state !== undefined)
    more = `"inputResponses":{"name":{"action":"accept","content":{"name":"Ada"}}},"requestState":${state},`
  }
}

async function progressCall(pool: Pool, path: string, order: Order, timing: Timing): Promise<void> {
  const { body } = await pool.request({ path, method: 'POST', headers: headers(order), body: requestBody(order, '') })
  let frames = 0
  let rest = ''
  for await (const chunk of body) {
    const now = process.hrtime.bigint()
    rest += (chunk as Buffer).toString('latin1')
    const blocks = rest.split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const sent = /"sent (\d+)"/.exec(block)?.[1]
      if (sent === undefined) continue
      frames += 1
      timing.frames.push(Number(now - BigInt(sent)) / NS_PER_MS)
    }
  }
  check(frames === PROGRESS_FRAMES)
}

async function post(pool: Pool, path: string, order: Order, more = ''): Promise<string> {
  const { statusCode, body } = await pool.request({
    path,
    method: 'POST',
    headers: headers(order),
    body: requestBody(order, more),
  })
  const text = await body.text()
  check(statusCode === 200)
  return text
}

function headers(order: Order): Record<string, string> {
  return {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': order.toolName,
  }
}

function requestBody(order: Order, more: string): string {
  lastId += 1
  const token = order.tool === 'progress' ? `,"progressToken":${lastId}` : ''
  return `{"jsonrpc":"2.0","id":${lastId},"method":"tools/call","params":{"name":"${order.toolName}","arguments":{"city":"Paris","days":3},${more}"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"bench","version":"1.0.0"},"io.modelcontextprotocol/clientCapabilities":{"elicitation":{"form":{}}}${token}}}}`
}

function check(good: boolean): void {
  if (!good) failures += 1
}

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}
