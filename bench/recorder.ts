/**
 * What recording costs the process of the gateway: CPU time a call, all of it (stamping, redaction, index, findings,
 * the line and its write), and what memory keeps of a call. Run: `node --expose-gc --import tsx bench/recorder.ts`.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRecorder } from '../src/main/capture/recorder'
import { plainCall, unstamped } from '../test/capture/call-script'

const CALLS = 100_000
const WARM_UP = 10_000
/** Calls between two turns of the event loop, as with as many busy connections. */
const AT_ONCE = 16

async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-bench-'))
  const recorder = createRecorder({
    file: join(folder, 'c.ndjson'),
    header: { gateway: { name: 'sluice', version: '0.0.0' }, backends: [] },
    redaction: { headers: [], keys: [] },
  })
  const events = unstamped(plainCall())

  async function record(calls: number): Promise<void> {
    for (let done = 0; done < calls; done++) {
      const call = recorder.nextCall()
      for (const event of events) {
        const own = event.kind === 'call.routed' ? { call, operation: `operation-${call}` } : { call }
        recorder.record({ ...event, ...own })
      }
      if (done % AT_ONCE === 0) await new Promise((resolve) => setImmediate(resolve))
    }
    await recorder.flush()
  }

  await record(WARM_UP)
  globalThis.gc?.()
  const heap = process.memoryUsage().heapUsed
  const places = recorder.index.placesBytes
  const cpu = process.cpuUsage()
  await record(CALLS - WARM_UP)
  const { user, system } = process.cpuUsage(cpu)
  const count = CALLS - WARM_UP
  globalThis.gc?.()
  const kept = process.memoryUsage().heapUsed - heap + recorder.index.placesBytes - places
  console.log({
    machine: `${cpus()[0]?.model ?? 'unknown'}, ${cpus().length} processors, load ${loadavg()[0]?.toFixed(1) ?? ''}`,
    eventsPerCall: events.length,
    bytesPerCall: Math.round(recorder.status().bytes / CALLS),
    cpuMicrosecondsPerCall: Math.round((user + system) / count),
    memoryBytesPerCall: globalThis.gc === undefined ? 'run with --expose-gc' : Math.round(kept / count),
    lost: recorder.status().lostEvents,
  })
  await recorder.close()
  await rm(folder, { recursive: true })
}

await main()
