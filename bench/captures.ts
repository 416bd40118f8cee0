/**
 * What a large capture costs to open, filter, read, search and export: times, and the memory of the process that does it.
 * Run: `npx tsx bench/captures.ts [--calls 100000] [--bytes 1073741824]`. Every step is a process of its own.
 */
import { spawn } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { rewriteCapture } from '../src/main/capture/export/rewrite-capture'
import { openCapture } from '../src/main/capture/opened/open-capture'
import { allRows } from '../src/shared/capture/call-selection'
import { exportRules } from '../src/shared/capture/export-profile'
import { parseFilter } from '../src/shared/capture/filter'
import { progressCall } from '../test/capture/call-script'
import { HEADER } from '../test/capture/capture-text'

const { values } = parseArgs({
  options: {
    calls: { type: 'string', default: '100000' },
    bytes: { type: 'string', default: String(1_073_741_824) },
    step: { type: 'string' },
    folder: { type: 'string' },
  },
})
const CALLS = Number(values.calls)
const FILTERS = ['outcome:error', 'backend:weather dur:>1ms', 'tools/call', 'has:progress -backend:archive']
const READ_CALLS = 500

type Result = Record<string, number | string>

/** Calls with progress, of which the answers carry what is needed to make the file as large as it is to be. */
async function write(file: string): Promise<Result> {
  const out = createWriteStream(file, { mode: 0o600 })
  const small = progressCall().reduce((sum, event) => sum + JSON.stringify(event).length + 1, 0)
  // The answer stands in the capture twice, once a leg.
  const filler = 'lorem ipsum '.repeat(Math.max(0, Math.floor((Number(values.bytes) / CALLS - small) / 24)))
  out.write(`${JSON.stringify(HEADER)}\n`)
  let seq = 0
  for (let call = 1; call <= CALLS; call++) {
    const backend = call % 3 === 0 ? 'archive' : 'weather'
    const events = progressCall({ call, backend, operation: `op-${call}`, id: call }, seq)
    seq += events.length
    const text = events.map((event) => JSON.stringify({ ...event, at: call * 500 + event.at })).join('\n')
    const filled = text.replaceAll(
      String.raw`\"content\":[]`,
      String.raw`\"content\":[{\"type\":\"text\",\"text\":\"${filler}\"}]`,
    )
    if (!out.write(`${filled}\n`)) await new Promise<void>((resolve) => out.once('drain', resolve))
  }
  await new Promise<void>((resolve) => out.end(resolve))
  return { events: seq, bytes: (await stat(file)).size }
}

async function open(file: string, dataFolder: string): Promise<Result> {
  const begun = performance.now()
  const capture = await openCapture(file, { dataFolder })
  const first = capture.index.list(0, 100).calls.length
  const opened = performance.now() - begun
  await capture.close()
  return { firstRows: first, openMs: opened, indexBytes: (await stat(`${file}.idx`)).size }
}

async function look(file: string, dataFolder: string): Promise<Result> {
  const capture = await openCapture(file, { dataFolder })
  const rows = [...allRows(capture.index)]
  const result: Result = { rows: rows.length }
  for (const text of FILTERS) {
    const filter = parseFilter(text)
    const begun = performance.now()
    const found = rows.filter((row) => filter.matches(row, { now: 0, bodyHits: new Map() })).length
    result[`filter "${text}" (${found})`] = performance.now() - begun
  }
  const begun = performance.now()
  for (let at = 0; at < READ_CALLS; at++) await capture.events(1 + ((at * 7_919) % CALLS))
  result.eventsOfACallMs = (performance.now() - begun) / READ_CALLS
  const searching = performance.now()
  result.found = (await capture.search('"progress":2', new AbortController().signal)).length
  result.searchMs = performance.now() - searching
  await capture.close()
  return result
}

async function share(file: string): Promise<Result> {
  const begun = performance.now()
  const { calls } = await rewriteCapture(file, {
    to: `${file}.shared`,
    replace: true,
    rulesOf: exportRules,
    select: null,
  })
  return { calls, exportMs: performance.now() - begun }
}

const STEPS: Record<string, (file: string, dataFolder: string) => Promise<Result>> = {
  write,
  'open without index': open,
  'open with index': open,
  'filter, read, search': look,
  'export redacted': share,
}

async function runStep(step: string, folder: string): Promise<void> {
  const run = STEPS[step]
  if (run === undefined) throw new Error(`there is no step ${step}`)
  let longestStall = 0
  let beat = performance.now()
  const timer = setInterval(() => {
    const now = performance.now()
    longestStall = Math.max(longestStall, now - beat - 10)
    beat = now
  }, 10)
  const result = await run(join(folder, 'c.ndjson'), join(folder, 'data'))
  clearInterval(timer)
  const peakMegabytes = Math.round(process.resourceUsage().maxRSS / 1_024)
  console.log(JSON.stringify({ step, ...rounded(result), longestStallMs: Math.round(longestStall), peakMegabytes }))
}

function rounded(result: Result): Result {
  const entries = Object.entries(result).map(([name, value]) => [
    name,
    typeof value === 'number' ? Math.round(value * 10) / 10 : value,
  ])
  return Object.fromEntries(entries) as Result
}

async function main(): Promise<void> {
  if (values.step !== undefined) return runStep(values.step, values.folder ?? '')
  const folder = await mkdtemp(join(tmpdir(), 'sluice-bench-'))
  console.log(`${cpus()[0]?.model ?? 'unknown'}, ${cpus().length} processors, load ${loadavg()[0]?.toFixed(1) ?? ''}`)
  try {
    for (const step of Object.keys(STEPS)) {
      const more = ['--step', step, '--folder', folder, '--calls', values.calls, '--bytes', values.bytes]
      const child = spawn(process.execPath, ['--import', 'tsx', fileURLToPath(import.meta.url), ...more], {
        stdio: 'inherit',
      })
      const code = await new Promise((resolve) => child.once('exit', resolve))
      if (code !== 0) throw new Error(`${step} ended with ${String(code)}`)
    }
    console.log(`load after ${loadavg()[0]?.toFixed(1) ?? ''}`)
  } finally {
    await rm(folder, { recursive: true })
  }
}

await main()
