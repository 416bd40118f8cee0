/**
 * What a large capture costs to open, filter, play back, search and export, in the built command line and in the desk: times,
 * and the memory of the processes. Needs a build.
 * Run: `npx tsx bench/captures.ts [--calls 100000] [--bytes 1073741824] [--only STEP] [--folder FOLDER]`. A folder that is
 * named is kept, with the capture and its index, for the next run.
 */
import { spawn } from 'node:child_process'
import { createWriteStream, existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { cpus, loadavg, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { progressCall } from '../test/capture/call-script'
import { HEADER } from '../test/capture/capture-text'
import { lookInDesk } from './capture-desk'

const { values } = parseArgs({
  options: {
    calls: { type: 'string', default: '100000' },
    bytes: { type: 'string', default: String(1_073_741_824) },
    only: { type: 'string' },
    folder: { type: 'string' },
    sluice: { type: 'string', default: fileURLToPath(new URL('../out/main/sluice.js', import.meta.url)) },
  },
})
const CALLS = Number(values.calls)
const folder = values.folder ?? (await mkdtemp(join(tmpdir(), 'sluice-bench-')))
const capture = join(folder, 'c.ndjson')
const data = join(folder, 'data')

/** Calls with progress, of which the answers carry what is needed to make the file as large as it is to be. */
async function write(): Promise<void> {
  const out = createWriteStream(capture, { mode: 0o600 })
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
  console.log(`${CALLS} calls, ${seq} events, ${((await stat(capture)).size / 1e6).toFixed(0)} MB`)
}

/** Says at its end what a process took. */
const TELL = `data:text/javascript,${encodeURIComponent(
  `process.on('exit', () => {
    const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage()
    process.stderr.write('\\ntook ' + JSON.stringify({ cpu: (userCPUTime + systemCPUTime) / 1e6, peak: maxRSS / 1024 }))
  })`,
)}`

/** Runs the built command line, and prints a line of the table. */
async function run(step: string, ...parameters: string[]): Promise<void> {
  const begun = performance.now()
  const child = spawn(process.execPath, ['--import', TELL, values.sluice, ...parameters], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr.on('data', (text: Buffer) => (said = (said + text.toString('utf8')).slice(-10_000)))
  const code = await new Promise((resolve) => child.once('close', resolve))
  if (code !== 0) throw new Error(`${step} ended with ${String(code)}: ${said}`)
  const { cpu, peak } = JSON.parse(/^took (.*)$/m.exec(said)?.[1] ?? '{}') as { cpu: number; peak: number }
  const seconds = (performance.now() - begun) / 1_000
  console.log(`| ${step} | ${seconds.toFixed(1)} s | ${cpu.toFixed(1)} s | ${peak.toFixed(0)} MB |`)
}

async function desk(): Promise<void> {
  const config = join(folder, 'sluice.json')
  await writeFile(config, JSON.stringify({ gateway: { port: 0 }, mcpServers: {} }))
  const { steps, heap, main } = await lookInDesk(values.sluice, config, data, capture)
  console.log('| step | result | longest task | memory |')
  for (const { step, result, longestTask, memory } of steps) {
    console.log(`| ${step} | ${result} | ${longestTask.toFixed(0)} ms | ${memory.toFixed(0)} MB |`)
  }
  console.log(`heap ${heap.toFixed(0)} MB after a collection, gateway ${main.toFixed(0)} MB at the most`)
}

const exported = (format: string): Promise<void> =>
  run(`export as ${format}`, 'capture', 'export', capture, ...['--format', format], ...exportTo(`x.${format}`))
const exportTo = (name: string): string[] => ['--data', data, '--out', join(folder, name), '--force']

const STEPS: Record<string, () => Promise<void>> = {
  index: async () => {
    await rm(`${capture}.idx`, { force: true })
    await run('look, no index', 'capture', 'info', capture, '--data', data)
  },
  info: () => run('look, with the index', 'capture', 'info', capture, '--data', data),
  cut: () =>
    run('a part, by a filter', 'capture', 'cut', capture, '--only', 'backend:archive dur:>1ms', ...exportTo('part')),
  search: () => run('a part, by a text', 'capture', 'cut', capture, '--only', 'body:"step 2"', ...exportTo('part')),
  capture: () => exported('capture'),
  har: () => exported('har'),
  json: () => exported('json'),
  html: () => exported('html'),
  desk,
}

console.log(
  `${cpus()[0]?.model ?? 'unknown'}, ${cpus().length} processors, ${(totalmem() / 1e9).toFixed(0)} GB, Node ${process.version}, load ${loadavg()[0]?.toFixed(1) ?? ''}`,
)
try {
  await mkdir(folder, { recursive: true })
  if (!existsSync(capture)) await write()
  for (const [name, step] of Object.entries(STEPS)) if (values.only === undefined || values.only === name) await step()
  console.log(`load after ${loadavg()[0]?.toFixed(1) ?? ''}`)
} finally {
  if (values.folder === undefined) await rm(folder, { recursive: true })
}
