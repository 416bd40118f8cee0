import { startArchive } from './archive'
import { startBooking } from './booking'
import type { DemoBackend } from './demo-backend'
import { startFaults } from './faults'
import { startWeather } from './weather'

export interface DemoBackends {
  /** As in a configuration's `mcpServers`. */
  mcpServers: Record<string, { type: 'http'; url: string }>
  close(): Promise<void>
}

/** Gateway settings with which a newcomer sees a window end and pings within seconds. */
export const DEMO_TIMING = { deferralWindowMs: 4_000, pingIntervalMs: 1_500 }

/** Starts every demo backend on a free loopback port. */
export async function startDemoBackends(): Promise<DemoBackends> {
  const starters = { weather: startWeather, booking: startBooking, archive: startArchive, faults: startFaults }
  const started: DemoBackend[] = []
  const close = async () => {
    await Promise.all(started.map((backend) => backend.close()))
  }
  try {
    const mcpServers: DemoBackends['mcpServers'] = {}
    for (const [name, start] of Object.entries(starters)) {
      const backend = await start()
      started.push(backend)
      mcpServers[name] = { type: 'http', url: backend.url }
    }
    return { mcpServers, close }
  } catch (error) {
    await close()
    throw error
  }
}
