import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { cpus, loadavg, release, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { cpuSeconds, startLoadGenerator, startScript, startSluice, type Started } from './processes'
import { judge, markdown, sentence, withResults, type Report, type Row, type Variant } from './report'
import { SCENARIOS, TOOLS, type Measured } from './scenarios'

/**
 * The same backend reached directly, through a bare pass-through proxy, and through the gateway with recording on. The
 * machine may be busy with other work: variants take turns within a round, and the table shows medians over the rounds.
 */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    /** Part of a scenario's name and connections, to run only that. */
    only: { type: 'string' },
    /** Folder for a CPU profile of the gateway. */
    'cpu-profile': { type: 'string' },
    /** Puts the results into README.md. */
    readme: { type: 'boolean', default: false },
    /** Another build of the command line, to compare with. */
    sluice: { type: 'string', default: fileURLToPath(new URL('../out/main/sluice.js', import.meta.url)) },
  },
})
const rounds = Number(values.rounds)
/** So that no process is measured while its code is still being compiled. */
const WARM_UP = { tool: 'small', connections: 8, seconds: 3 } as const
const scenarios = SCENARIOS.filter(
  (scenario) => values.only === undefined || `${scenario.name} ${scenario.connections}`.includes(values.only),
)

interface Contestant {
  variant: Variant
  url: string
  prefix: string
  /** The process in the middle. */
  pid?: number
}

const folder = await mkdtemp(join(tmpdir(), 'sluice-bench-'))
const running: Started[] = []
const load = startLoadGenerator()
try {
  const stub = await startScript('stub.ts')
  running.push(stub)
  const origin = `http://127.0.0.1:${stub.firstLine}`
  const passThrough = await startScript('passthrough.ts', origin)
  running.push(passThrough)
  const gateway = await startGateway(origin)
  running.push(gateway)
  const { endpoint, endpoints } = JSON.parse(gateway.firstLine) as { endpoint: string; endpoints: { stub: string } }
  const contestants: Contestant[] = [
    { variant: 'direct', url: `${origin}/mcp`, prefix: '' },
    { variant: 'pass-through', url: `http://127.0.0.1:${passThrough.firstLine}/mcp`, prefix: '', pid: passThrough.pid },
    { variant: 'gateway', url: endpoints.stub, prefix: '', pid: gateway.pid },
    { variant: 'gateway, aggregated', url: endpoint, prefix: 'stub__', pid: gateway.pid },
  ]
  const report = await measureAll(contestants)
  console.log(markdown(report))
  const verdicts = judge(report)
  for (const line of verdicts.map(sentence)) console.log(line)
  const results = fileURLToPath(new URL('results/', import.meta.url))
  await mkdir(results, { recursive: true })
  await writeFile(join(results, 'latest.json'), `${JSON.stringify({ ...report, verdicts }, null, 2)}\n`)
  await writeFile(join(results, 'latest.md'), markdown(report))
  if (values.readme) {
    const readme = fileURLToPath(new URL('README.md', import.meta.url))
    const list = verdicts.map((verdict) => `- ${sentence(verdict)}`).join('\n')
    await writeFile(readme, withResults(await readFile(readme, 'utf8'), `${markdown(report)}\n${list}\n`))
  }
} finally {
  load.stop()
  for (const started of running.reverse()) await started.stop()
  await rm(folder, { recursive: true, force: true })
}

async function startGateway(origin: string): Promise<Started> {
  const config = join(folder, 'sluice.json')
  await writeFile(
    config,
    JSON.stringify({ gateway: { port: 0 }, mcpServers: { stub: { type: 'http', url: `${origin}/mcp` } } }),
  )
  const profile = values['cpu-profile'] === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${values['cpu-profile']}`]
  const capture = join(folder, 'capture.ndjson')
  return startSluice(
    values.sluice,
    ['serve', '--config', config, '--json', '--data', join(folder, 'data'), '--capture', capture],
    profile,
  )
}

async function measureAll(contestants: Contestant[]): Promise<Report> {
  const before = loadavg()[0] ?? 0
  const rows: Row[] = scenarios.map((scenario) => ({
    scenario: scenario.name,
    connections: scenario.connections,
    runs: {},
  }))
  for (const { url, prefix } of contestants) {
    await load.run({ ...WARM_UP, url, toolName: prefix + TOOLS[WARM_UP.tool] })
  }
  for (let round = 1; round <= rounds; round += 1) {
    for (const [at, scenario] of scenarios.entries()) {
      for (const contestant of contestants) {
        const cpuBefore = contestant.pid === undefined ? undefined : cpuSeconds(contestant.pid)
        const order = { ...scenario, url: contestant.url, toolName: contestant.prefix + TOOLS[scenario.tool] }
        const measured: Measured = await load.run(order)
        const cpuAfter = contestant.pid === undefined ? undefined : cpuSeconds(contestant.pid)
        if (measured.failures > 0)
          throw new Error(`${measured.failures} calls failed: ${scenario.name}, ${contestant.variant}`)
        const runs = (rows[at]!.runs[contestant.variant] ??= [])
        runs.push({
          ...measured,
          ...(cpuBefore === undefined || cpuAfter === undefined ? {} : { cpuSeconds: cpuAfter - cpuBefore }),
        })
      }
    }
    console.error(`round ${round} of ${rounds} done`)
  }
  return {
    at: new Date().toISOString(),
    machine: {
      cpu: cpus()[0]?.model ?? 'unknown',
      cores: cpus().length,
      memoryGb: Math.round(totalmem() / 2 ** 30),
      // Without what a distribution or a host adds.
      system: `${process.platform} ${release().replace(/-.*/, '')}`,
    },
    load: { before, after: loadavg()[0] ?? 0 },
    node: process.version,
    rounds,
    rows,
  }
}
