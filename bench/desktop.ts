/**
 * What the desktop app costs: from its start to a window that can be used, its memory idle and with many calls, and how long
 * what a user does takes until the picture. Needs a build, a display, and the executable of an Electron in
 * SLUICE_E2E_ELECTRON. Run: `xvfb-run -a npm run bench:desktop` (about three minutes); `--readme` puts the tables into this
 * folder's README.md.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { Page } from '@playwright/test'
import { Pool } from 'undici'
import { openInElectron, type OpenDesk } from '../e2e/carriers'
import { postCall } from './post-call'
import { startScript } from './processes'
import { withResults } from './report'

const { values } = parseArgs({
  options: { calls: { type: 'string', default: '100000' }, readme: { type: 'boolean', default: false } },
})
const CALLS = Number(values.calls)
const STARTS = 5
const TIMES = 12
/** After so long nothing of the start goes on. */
const CALM_MS = 4_000

interface Memory {
  main: number
  renderer: number
  others: number
}
interface Latency {
  what: string
  median: number
  most: number
}

const folder = await mkdtemp(join(tmpdir(), 'sluice-bench-desktop-'))
const stub = await startScript('stub.ts')
const before = loadavg()[0] ?? 0
try {
  const config = join(folder, 'sluice.json')
  const mcpServers = { stub: { type: 'http', url: `http://127.0.0.1:${stub.firstLine}/mcp` } }
  await writeFile(config, JSON.stringify({ gateway: { port: 0 }, mcpServers }))
  const switches = (run: number) => ['--config', config, '--data', join(folder, `data-${run}`)]

  const starts: number[] = []
  for (let run = 0; run < STARTS; run++) {
    const begin = performance.now()
    const desk = await openInElectron(switches(run))
    await usable(desk.page)
    starts.push(performance.now() - begin)
    await desk.close()
  }

  const desk = await openInElectron(switches(0))
  await usable(desk.page)
  const offer = desk.page.getByRole('button', { name: 'No, thanks' })
  await offer.click()
  await desk.page.waitForTimeout(CALM_MS)
  const idle = await memoryOf(desk)
  await callOften(new URL(await endpointOf(desk.page)).origin, CALLS)
  await desk.page.waitForFunction(
    (count) => document.querySelector('[data-testid="live-item"] small')?.textContent.replaceAll(/\D/g, '') === count,
    String(CALLS),
    { timeout: 60_000 },
  )
  await desk.page.waitForTimeout(CALM_MS)
  const full = await memoryOf(desk)
  const latencies = await latenciesOf(desk.page)
  await desk.close()

  const tables = markdown(starts, idle, full, latencies)
  console.log(tables)
  if (values.readme) {
    const readme = fileURLToPath(new URL('README.md', import.meta.url))
    await writeFile(readme, withResults(await readFile(readme, 'utf8'), tables, 'desktop'))
  }
} finally {
  await stub.stop()
  await rm(folder, { recursive: true, force: true })
}

/** The endpoint can be copied, and what is looked at is drawn. */
async function usable(page: Page): Promise<void> {
  await page
    .getByRole('button', { name: /copy.*endpoint/i })
    .first()
    .waitFor()
  await page.getByTestId('backend-item').first().waitFor()
}

async function endpointOf(page: Page): Promise<string> {
  return (await page.getByTestId('endpoint').first().locator('code').innerText()).trim()
}

async function callOften(origin: string, count: number): Promise<void> {
  const pool = new Pool(origin, { connections: 32, pipelining: 1 })
  let done = 0
  await Promise.all(
    Array.from({ length: 32 }, async () => {
      while (done++ < count) await postCall(pool, 'small')
    }),
  )
  await pool.close()
}

/** Memory that is a process's own (anonymous), in MB; Linux only. */
async function memoryOf({ electronApp }: OpenDesk): Promise<Memory> {
  const processes = await electronApp?.evaluate(({ app }) =>
    app.getAppMetrics().map(({ pid, type }) => ({ pid, type })),
  )
  const memory: Memory = { main: 0, renderer: 0, others: 0 }
  for (const { pid, type } of processes ?? []) {
    const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
    const mb = Number(/^RssAnon:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024
    if (type === 'Browser') memory.main += mb
    else if (type === 'Tab') memory.renderer += mb
    else memory.others += mb
  }
  return memory
}

/** Each from the event to the picture after it, in the page. */
async function latenciesOf(page: Page): Promise<Latency[]> {
  const press = (key: string, mod = false) =>
    `dispatchEvent(new KeyboardEvent('keydown', { key: '${key}', ctrlKey: ${mod}, bubbles: true, cancelable: true }))`
  const type = (text: string) =>
    `(() => { const input = document.querySelector('[data-testid=filter-input]'); Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(input, '${text}'); input.dispatchEvent(new Event('input', { bubbles: true })) })()`
  const steps: { what: string; go: string; is: string; back: string }[] = [
    {
      what: 'a call opened, to its frames',
      go: `[...document.querySelectorAll('[data-testid=call-row]')].at(-3 - turn).dispatchEvent(new MouseEvent('mousedown', { bubbles: true, button: 0 }))`,
      is: `document.querySelectorAll('[data-testid=frame-row]').length > 0`,
      back: press('Escape'),
    },
    {
      what: 'the filter: a key to the table',
      go: type('tool:small dur:>1ms'),
      is: 'true',
      back: type(''),
    },
    {
      what: 'the palette opened',
      go: press('k', true),
      is: `document.querySelectorAll('[cmdk-item]').length > 5`,
      back: `document.querySelector('[data-testid=palette]').close()`,
    },
  ]
  const latencies: Latency[] = []
  for (const step of steps) latencies.push({ what: step.what, ...(await measure(page, step)) })
  await page.getByTestId('call-row').last().click()
  await page.getByTestId('frame-row').first().waitFor()
  const tab = { go: press('4'), is: `document.querySelector('[role=treeitem]') !== null`, back: press('1') }
  latencies.push({ what: 'another part of a call: its response', ...(await measure(page, tab)) })
  return latencies
}

async function measure(
  page: Page,
  { go, is, back }: { go: string; is: string; back: string },
): Promise<{ median: number; most: number }> {
  const script = `(async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
    const times = []
    for (let turn = 0; turn < ${TIMES}; turn++) {
      const begin = performance.now()
      ;${go}
      do await frame(); while (!(${is}))
      await frame()
      times.push(performance.now() - begin)
      ;${back}
      for (let rest = 0; rest < 20; rest++) await frame()
    }
    return times
  })()`
  // The page's policy forbids evaluated code, but not that of the inspector.
  const times = (await page.evaluate<number[]>(script)).sort((one, other) => one - other)
  return { median: times[Math.floor(times.length / 2)] ?? Number.NaN, most: times.at(-1) ?? Number.NaN }
}

function markdown(starts: number[], idle: Memory, full: Memory, latencies: Latency[]): string {
  const sorted = [...starts].sort((one, other) => one - other)
  const ms = (value: number) => value.toFixed(0)
  const row = (what: string, { main, renderer, others }: Memory) =>
    `| ${what} | ${ms(main)} | ${ms(renderer)} | ${ms(others)} |`
  return [
    `${new Date().toISOString().slice(0, 10)}, ${cpus()[0]?.model ?? 'unknown'}, ${cpus().length} cores, no GPU, Xvfb; load average ${before.toFixed(1)} before, ${(loadavg()[0] ?? 0).toFixed(1)} after.`,
    '',
    `Start to a window that can be used, with Playwright attached: ${ms(sorted[Math.floor(sorted.length / 2)] ?? Number.NaN)} ms (median of ${starts.length}; ${ms(sorted[0] ?? Number.NaN)} to ${ms(sorted.at(-1) ?? Number.NaN)}).`,
    '',
    '| memory of its own, MB | main | renderer | others |',
    '| --------------------- | ---- | -------- | ------ |',
    row('idle', idle),
    row(`${CALLS.toLocaleString('en')} calls`, full),
    '',
    `| with ${CALLS.toLocaleString('en')} calls, to the picture | median ms | most ms |`,
    '| --- | --- | --- |',
    ...latencies.map(({ what, median, most }) => `| ${what} | ${ms(median)} | ${ms(most)} |`),
    '',
  ].join('\n')
}
