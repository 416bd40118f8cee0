import { setTimeout as pause } from 'node:timers/promises'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { META } from '../../shared/protocol/meta'
import { MODERN_VERSION } from '../../shared/protocol/revisions'

/** A client that calls the demo backends through the gateway until it is stopped. */
export interface DemoClient {
  readonly running: boolean
  start(): void
  /** Cancels what is in flight. */
  stop(): Promise<void>
}

export interface DemoClientOptions {
  /** The gateway's aggregate endpoint. */
  endpoint: string
  /** Told in words when something fails that should not. */
  onProblem: (problem: string) => void
  /** Milliseconds between the starts of two calls; 1 000 by default. */
  paceMs?: number
}

const MOST_IN_FLIGHT = 8
const RECONNECT_MS = 2_000

/** One call of the loop. `fails`: an error is what it is there to show. */
interface Step {
  run(client: Client, signal: AbortSignal): Promise<unknown>
  fails?: true
}

const LOGS = { [META.logLevel]: 'info' }
const onprogress = () => undefined

function tool(name: string, arguments_: Record<string, unknown>, options: { streams?: true; fails?: true } = {}): Step {
  const meta = options.streams ? { _meta: LOGS } : {}
  return {
    run: (client, signal) =>
      client.callTool({ name, arguments: arguments_, ...meta }, { signal, ...(options.streams ? { onprogress } : {}) }),
    ...(options.fails ? { fails: options.fails } : {}),
  }
}

/** In turn: a bit of everything that the desk can show. */
const STEPS: Step[] = [
  { run: (client, signal) => client.listTools(undefined, { signal, cacheMode: 'refresh' }) },
  tool('weather__forecast', { city: 'Tromsø' }, { streams: true }),
  tool('weather__current', { city: 'Lisbon' }),
  tool('booking__book_trip', { city: 'Kyoto' }),
  tool('archive__restore', { file: 'report.pdf' }),
  tool('faults__tool_error', {}),
  { run: (client, signal) => client.readResource({ uri: 'booking://terms' }, { signal, cacheMode: 'refresh' }) },
  tool('faults__error_page', {}, { fails: true }),
  {
    run: (client, signal) =>
      client.getPrompt({ name: 'weather__packing-list', arguments: { city: 'Oslo' } }, { signal }),
  },
  tool('faults__progress_backwards', {}, { streams: true }),
  tool('weather__current', { city: 'Nairobi' }),
  { run: cancelledForecast, fails: true },
  tool('faults__dies_mid_stream', {}, { streams: true, fails: true }),
  { run: (client, signal) => client.listResources(undefined, { signal, cacheMode: 'refresh' }) },
  tool('faults__protocol_error', {}, { fails: true }),
  tool('archive__restore', { file: 'photos.zip', silenceMs: 1_500 }),
  tool('faults__stray_ids', {}),
  tool('faults__garbage', {}, { fails: true }),
]

async function cancelledForecast(client: Client, signal: AbortSignal): Promise<unknown> {
  const impatience = AbortSignal.timeout(1_400)
  return client.callTool(
    { name: 'weather__forecast', arguments: { city: 'Lima' }, _meta: LOGS },
    { onprogress, signal: AbortSignal.any([signal, impatience]) },
  )
}

export function createDemoClient(options: DemoClientOptions): DemoClient {
  let stopping: AbortController | null = null
  let loop: Promise<void> = Promise.resolve()

  return {
    get running() {
      return stopping !== null
    },
    start() {
      if (stopping) return
      const controller = new AbortController()
      stopping = controller
      loop = loop.then(() => run(options, controller.signal))
    },
    async stop() {
      stopping?.abort()
      stopping = null
      await loop
    },
  }
}

async function run(options: DemoClientOptions, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      const client = makeClient()
      await client.connect(new StreamableHTTPClientTransport(new URL(options.endpoint)))
      try {
        await callInTurn(client, options, signal)
      } finally {
        await client.close()
      }
    } catch (error) {
      if (signal.aborted) return
      options.onProblem(`demo client: ${messageOf(error)}; trying again`)
      await pause(RECONNECT_MS, undefined, { signal }).catch(() => undefined)
    }
  }
}

async function callInTurn(client: Client, { onProblem, paceMs = 1_000 }: DemoClientOptions, signal: AbortSignal) {
  const inFlight = new Set<Promise<void>>()
  for (let turn = 0; !signal.aborted; turn++) {
    const step = STEPS[turn % STEPS.length]
    if (!step) break
    const call: Promise<void> = step
      .run(client, signal)
      .then(
        () => undefined,
        (error: unknown) => {
          if (!step.fails && !signal.aborted) onProblem(`demo client: ${messageOf(error)}`)
        },
      )
      .finally(() => inFlight.delete(call))
    inFlight.add(call)
    if (inFlight.size >= MOST_IN_FLIGHT) await Promise.race(inFlight)
    // Aborting is how the loop is told to end.
    await pause(paceMs, undefined, { signal }).catch(() => undefined)
  }
  await Promise.all(inFlight)
}

/** Answers a booking's questions the way a user would. */
function makeClient(): Client {
  const client = new Client(
    { name: 'sluice-demo', version: '1.0.0' },
    { versionNegotiation: { mode: { pin: MODERN_VERSION } }, capabilities: { elicitation: { form: {} } } },
  )
  client.setRequestHandler('elicitation/create', ({ params }) => {
    const content: Record<string, string | number | boolean> = params.message.startsWith('When')
      ? { depart: '2026-12-19', nights: 4 }
      : { confirm: true }
    return { action: 'accept', content }
  })
  return client
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
