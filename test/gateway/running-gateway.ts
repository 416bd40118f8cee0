import { randomBytes } from 'node:crypto'
import { expect, onTestFinished } from 'vitest'
import type { StateKeys } from '../../src/main/gateway/state-keys'
import { createGateway, type Gateway, type GatewayOptions } from '../../src/main/gateway/gateway'
import type { Tap } from '../../src/main/capture/tap'
import type { CaptureEvent, NewCaptureEvent } from '../../src/shared/capture/events'
import { Configuration } from '../../src/shared/config/schema'
import { startStub, type Stub, type StubHandler } from '../peers/stub-backend'

/** Settings of tests: no waiting for the defaults of seconds. */
const QUICK = { port: 0, deferralWindowMs: 5_000, pingIntervalMs: 5_000 }

export class RecordingTap implements Tap {
  readonly events: CaptureEvent[] = []
  #calls = 0
  #exchanges = 0
  readonly #waiting = new Set<() => void>()

  record(event: NewCaptureEvent): number {
    const seq = this.events.length + 1
    this.events.push({ ...event, seq, at: seq })
    for (const check of [...this.#waiting]) check()
    return seq
  }

  nextCall(): number {
    return (this.#calls += 1)
  }

  nextExchange(): number {
    return (this.#exchanges += 1)
  }

  of<Kind extends CaptureEvent['kind']>(kind: Kind): Extract<CaptureEvent, { kind: Kind }>[] {
    return this.events.filter((event): event is Extract<CaptureEvent, { kind: Kind }> => event.kind === kind)
  }

  /** Resolves once `count` events of `kind` were recorded. */
  async until<Kind extends CaptureEvent['kind']>(
    kind: Kind,
    count = 1,
  ): Promise<Extract<CaptureEvent, { kind: Kind }>[]> {
    await new Promise<void>((resolve) => {
      const check = (): void => {
        if (this.of(kind).length < count) return
        this.#waiting.delete(check)
        resolve()
      }
      this.#waiting.add(check)
      check()
    })
    return this.of(kind)
  }
}

export interface Running {
  gateway: Gateway
  tap: RecordingTap
  port: number
  /** The endpoint of all backends. */
  all: string
  /** The endpoint of one backend. */
  one(backend?: string): string
}

type GatewaySettings = Record<string, unknown>
type BackendSettings = Stub | Record<string, unknown>

export function keys(kid = 'test'): StateKeys {
  return { current: kid, secrets: new Map([[kid, new Uint8Array(randomBytes(32))]]) }
}

export function configuration(
  backends: Record<string, BackendSettings>,
  settings: GatewaySettings = {},
): Configuration {
  const mcpServers = Object.entries(backends).map(([name, given]) => [
    name,
    { type: 'http', ...('requests' in given ? { url: (given as Stub).url } : given) },
  ])
  return Configuration.parse({ gateway: { ...QUICK, ...settings }, mcpServers: Object.fromEntries(mcpServers) })
}

/** Starts a gateway for one test; it is closed when the test ends. */
export async function startGateway(
  backends: Record<string, BackendSettings>,
  settings: GatewaySettings = {},
  stateKeys: StateKeys = keys(),
  connectors: GatewayOptions['backends'] = {},
): Promise<Running> {
  const tap = new RecordingTap()
  const gateway = createGateway({
    configuration: configuration(backends, settings),
    tap,
    stateKeys,
    version: '0.0.0-test',
    backends: connectors,
  })
  const { port } = await gateway.listen()
  onTestFinished(() => gateway.close(0))
  const first = Object.keys(backends)[0]
  return { gateway, tap, port, all: `${gateway.base}/mcp`, one: (backend = first) => `${gateway.base}/mcp/${backend}` }
}

/** Starts a scripted backend for one test; a script that threw fails the test. */
export async function startBackend(handler: StubHandler): Promise<Stub> {
  const stub = await startStub(handler)
  onTestFinished(async () => {
    await stub.close()
    expect(stub.failures).toEqual([])
  })
  return stub
}

/** A gate that a script waits at until the test opens it. */
export function gate(): { opened: Promise<void>; open: () => void } {
  let open: () => void = () => undefined
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open }
}
