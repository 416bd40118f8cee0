/**
 * How smooth the desk is over much traffic, in a real Chromium: frames of the screen, long tasks, memory. Needs a build.
 * Run: `npm run bench:desk` (about six minutes); `--readme` puts the table into this folder's README.md.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { type Page } from '@playwright/test'
import { Pool } from 'undici'
import { launchChromium } from '../e2e/carriers'
import { postCall } from './post-call'
import { startScript, startSluice, type Started } from './processes'
import { withResults } from './report'
import { TOOLS, type Tool } from './scenarios'

const { values } = parseArgs({
  options: {
    calls: { type: 'string', default: '100000' },
    readme: { type: 'boolean', default: false },
    sluice: { type: 'string', default: fileURLToPath(new URL('../out/main/sluice.js', import.meta.url)) },
  },
})
const CALLS = Number(values.calls)
/** Pixels and milliseconds from one turn of the wheel to the next: as a hand turns it, fast, and more than a screenful of rows. */
const BY_HAND = [100, 50] as const
const TURNED = [200, 16] as const
const THROWN = [700, 16] as const

/** One scene: what was looked at, and how the page did meanwhile. */
interface Scene {
  scene: string
  seconds: number
  framesPerSecond: number
  /** Milliseconds. */
  frameP99: number
  longestTask: number
  tasksOver50: number
  /** JavaScript heap of the page after a collection, MB. */
  heapMb: number
  note: string
}

const folder = await mkdtemp(join(tmpdir(), 'sluice-bench-desk-'))
const running: Started[] = []
process.env.SLUICE_E2E_CHROMIUM ??= '/usr/bin/chromium'
const browser = await launchChromium()
const scenes: Scene[] = []
let scenesNote = ''
const before = loadavg()[0] ?? 0
try {
  const stub = await startScript('stub.ts')
  running.push(stub)
  const config = join(folder, 'sluice.json')
  const mcpServers = { stub: { type: 'http', url: `http://127.0.0.1:${stub.firstLine}/mcp` } }
  await writeFile(config, JSON.stringify({ gateway: { port: 0 }, mcpServers }))
  const gateway = await startSluice(
    values.sluice,
    ['serve', '--config', config, '--json', '--ui', '--data', join(folder, 'data')],
    [],
  )
  running.push(gateway)
  const { endpoint, ui } = JSON.parse(gateway.firstLine) as { endpoint: string; ui: string }
  const { origin } = new URL(endpoint)
  const pool = new Pool(origin, { connections: 64, pipelining: 1, headersTimeout: 0, bodyTimeout: 0 })
  const call = (tool: Tool) => postCall(pool, tool)

  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  // tsx marks functions with a helper of its own, which code that is sent to the page would miss.
  await page.addInitScript('globalThis.__name = (value) => value')
  await page.goto(ui)
  await page.getByTestId('endpoint').first().waitFor()
  await page.getByRole('button', { name: 'No, thanks' }).click()

  const started = performance.now()
  const minute = Promise.all(Array.from({ length: 5 }, () => call(TOOLS.minute)))
  await page.getByTestId('call-row').last().click()
  await observe(page, '500 frames a second for a minute, one of the five calls open', async () => {
    scenesNote = await wayToTheScreen(page, 20_000)
    await minute
  })
  console.error(`a minute of frames took ${((performance.now() - started) / 1000).toFixed(0)} s`)

  await call(TOOLS.flood)
  await newestCall(page)
  await observe(page, '10 000 frames in one call: its frames scrolled', async () => {
    await page.getByTestId('frame-row').first().waitFor()
    await scroll(page, '[data-testid="frame-row"]', 4_000)
  })

  await call(TOOLS.huge)
  await newestCall(page)
  const opened = performance.now()
  await observe(page, 'a body of 5 MB opened and scrolled', async () => {
    await page.keyboard.press('4')
    await page.getByRole('treeitem').first().waitFor({ timeout: 60_000 })
    scenesNote = `first lines after ${((performance.now() - opened) / 1000).toFixed(1)} s`
    await scroll(page, '[role="treeitem"]', 3_000)
  })

  await page.keyboard.press('Escape')
  for (let done = 0; done < CALLS;) {
    const batch = Math.min(2_000, CALLS - done)
    const each = Array.from({ length: 32 }, async (_, at) => {
      for (let count = at; count < batch; count += 32) await call(TOOLS.small)
    })
    await Promise.all(each)
    done += batch
  }
  await observe(
    page,
    `${CALLS.toLocaleString('en')} calls: the table scrolled by 20 notches of a wheel a second`,
    async () => {
      await scroll(page, '[role="grid"]', 6_000, BY_HAND)
    },
  )
  await observe(page, `${CALLS.toLocaleString('en')} calls: the table scrolled fast`, async () => {
    await scroll(page, '[role="grid"]', 6_000, TURNED)
  })
  await observe(page, `${CALLS.toLocaleString('en')} calls: the table thrown, all rows new at each frame`, async () => {
    await scroll(page, '[role="grid"]', 6_000, THROWN)
  })
  const filtering = await page.evaluate(async () => {
    const input = document.querySelector<HTMLInputElement>('[data-testid="filter-input"]')
    const setter = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set
    const times: number[] = []
    for (const text of ['tool:small', 'dur:>2ms', 'tool:large', '']) {
      const begin = performance.now()
      setter?.call(input, text)
      input?.dispatchEvent(new Event('input', { bubbles: true }))
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
      times.push(performance.now() - begin)
    }
    return Math.max(...times)
  })
  const last = scenes.at(-1)
  if (last)
    last.note = `keystroke to filtered table at most ${filtering.toFixed(0)} ms; main process ${await residentMb(gateway.pid)} MB`
  await pool.close()

  const table = markdown()
  console.log(table)
  if (values.readme) {
    const readme = fileURLToPath(new URL('README.md', import.meta.url))
    await writeFile(readme, withResults(await readFile(readme, 'utf8'), table, 'desk'))
  }
} finally {
  await browser.close()
  for (const one of running.reverse()) await one.stop()
  await rm(folder, { recursive: true, force: true })
}

/** Counts the page's frames and long tasks while `work` goes on. */
async function observe(page: Page, scene: string, work: () => Promise<unknown>): Promise<void> {
  scenesNote = ''
  await page.evaluate(() => {
    const seen = { frames: [] as number[], tasks: [] as number[], on: true }
    Object.assign(window, { observed: seen })
    let last = performance.now()
    const tick = (now: number): void => {
      seen.frames.push(now - last)
      last = now
      if (seen.on) requestAnimationFrame(tick)
    }
    requestAnimationFrame(tick)
    new PerformanceObserver((list) => seen.tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({
      type: 'longtask',
    })
  })
  const begin = performance.now()
  await work()
  const seconds = (performance.now() - begin) / 1000
  const { frames, tasks } = await page.evaluate(() => {
    const { observed } = window as unknown as { observed: { frames: number[]; tasks: number[]; on: boolean } }
    observed.on = false
    return observed
  })
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  await session.detach()
  const sorted = frames.sort((one, other) => one - other)
  scenes.push({
    scene,
    seconds,
    framesPerSecond: frames.length / seconds,
    frameP99: sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN,
    longestTask: Math.max(0, ...tasks),
    tasksOver50: tasks.filter((duration) => duration > 50).length,
    heapMb: usedSize / 1e6,
    note: scenesNote,
  })
}

/** How old the newest frame is when it is first drawn, by the clock that the backend writes into its frames. */
async function wayToTheScreen(page: Page, milliseconds: number): Promise<string> {
  const ages = await page.evaluate(
    ({ duration, ahead }) =>
      new Promise<number[]>((resolve) => {
        const found: number[] = []
        const end = performance.now() + duration
        let newest = 0
        const look = (): void => {
          // Elements of rows that leave are used for those that come, so the newest may be any of them.
          let sent = 0
          for (const row of document.querySelectorAll('[data-testid="frame-row"]'))
            sent = Math.max(sent, Number(/sent (\d+)/.exec(row.textContent)?.[1] ?? 0) / 1e6)
          if (sent > newest) found.push(Date.now() + ahead - sent)
          newest = Math.max(newest, sent)
          if (performance.now() < end) requestAnimationFrame(look)
          else resolve(found)
        }
        look()
      }),
    // Both clocks of this machine: the page has no monotonic one in common with the backend.
    { duration: milliseconds, ahead: Number(process.hrtime.bigint()) / 1e6 - Date.now() },
  )
  // Five frames a second: fewer are no list that follows, and the scene would be a lighter one.
  if (ages.length < milliseconds / 200) throw new Error(`the list of frames did not follow: ${ages.length} frames seen`)
  const sorted = ages.sort((one, other) => one - other)
  const at = (part: number): string => (sorted[Math.floor((sorted.length - 1) * part)] ?? Number.NaN).toFixed(0)
  return `newest frame on screen after ${at(0.5)} ms (p50), ${at(0.95)} ms (p95), at most ${at(1)} ms`
}

async function newestCall(page: Page): Promise<void> {
  await page.keyboard.press('Escape')
  await page.keyboard.press('G')
  await page.getByTestId('call-row').last().click()
}

/** Turns the wheel over an element for some milliseconds. */
async function scroll(
  page: Page,
  selector: string,
  milliseconds: number,
  [pixels, apart]: readonly [pixels: number, apart: number] = THROWN,
): Promise<void> {
  const box = await page.locator(selector).first().boundingBox()
  if (box === null) throw new Error(`${selector} is not in sight`)
  await page.mouse.move(box.x + 80, box.y + Math.min(box.height / 2, 40))
  const end = performance.now() + milliseconds
  for (let turn = 0; performance.now() < end; turn++) {
    await page.mouse.wheel(0, turn % 60 < 30 ? -pixels : pixels)
    await page.waitForTimeout(apart)
  }
}

/** Memory that a process holds, in MB, or a question mark where there is no /proc. */
async function residentMb(pid: number): Promise<string> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  const kb = /^VmRSS:\s+(\d+)/m.exec(status)?.[1]
  return kb === undefined ? '?' : (Number(kb) / 1024).toFixed(0)
}

function markdown(): string {
  const head = `${new Date().toISOString().slice(0, 10)}, ${cpus()[0]?.model ?? 'unknown'}, ${cpus().length} cores, Chromium without a GPU; load average ${before.toFixed(1)} before, ${(loadavg()[0] ?? 0).toFixed(1)} after.`
  const rows = scenes.map(
    ({ scene, seconds, framesPerSecond, frameP99, longestTask, tasksOver50, heapMb, note }) =>
      `| ${scene} | ${seconds.toFixed(1)} | ${framesPerSecond.toFixed(0)} | ${frameP99.toFixed(0)} | ${longestTask.toFixed(0)} | ${tasksOver50} | ${heapMb.toFixed(0)} | ${note} |`,
  )
  return [
    head,
    '',
    '| scene | s | frames/s | frame p99 ms | longest task ms | tasks over 50 ms | heap MB | |',
    '| ----- | - | -------- | ------------ | --------------- | ---------------- | ------- | - |',
    ...rows,
    '',
  ].join('\n')
}
