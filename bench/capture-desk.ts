/** A large capture in the desk: the built `sluice serve --ui`, and a real Chromium with the bound on its heap that the app sets. */
import { readFile } from 'node:fs/promises'
import { performance } from 'node:perf_hooks'
import { type Browser, type Page } from '@playwright/test'
import { launchChromium } from '../e2e/carriers'
import { PAGE_JS_FLAGS } from '../src/main/shell/page-memory'
import { startSluice } from './processes'

export interface DeskStep {
  step: string
  result: string
  longestTask: number
  /** MB: the page's process without what it shares with others, at the most. */
  memory: number
}

export interface DeskReport {
  steps: DeskStep[]
  /** MB: the page's JavaScript after a collection. */
  heap: number
  /** MB: the gateway's process at the most. */
  main: number
}

/** How often each filter is looked at. */
const TURNS = 4
/** As long as it takes to see what was found. */
const PAUSE_MS = 300
const FILTERS = ['outcome:error', 'backend:weather dur:>1ms', 'tools/call', 'has:progress -backend:archive', '']

/** Opens `capture` as a user does, with a data folder that has its index or makes one. */
export async function lookInDesk(sluice: string, config: string, data: string, capture: string): Promise<DeskReport> {
  const gateway = await startSluice(sluice, ['serve', '--config', config, '--json', '--ui', '--data', data], [])
  process.env.SLUICE_E2E_CHROMIUM ??= '/usr/bin/chromium'
  const browser = await launchChromium([`--js-flags=${PAGE_JS_FLAGS}`])
  try {
    const { ui } = JSON.parse(gateway.firstLine) as { ui: string }
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
    // tsx marks functions with a helper of its own, which code that is sent to the page would miss.
    await page.addInitScript('globalThis.__name = (value) => value')
    await page.goto(ui)
    await page.getByTestId('endpoint').first().waitFor()
    await page.getByRole('button', { name: 'No, thanks' }).click()
    const memory = watchMemory(await pageProcesses(browser))
    const steps = await look(page, capture, memory)
    const heap = await heapOf(page)
    memory.stop()
    return { steps, heap, main: await peakOf(gateway.pid) }
  } finally {
    await browser.close()
    await gateway.stop()
  }
}

async function look(page: Page, capture: string, memory: Memory): Promise<DeskStep[]> {
  const steps: DeskStep[] = []
  const step = async (name: string, work: () => Promise<string>): Promise<void> => {
    await page.evaluate(() => {
      const tasks: number[] = []
      new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({
        type: 'longtask',
      })
      Object.assign(window, { tasks })
    })
    const result = await work()
    const longestTask = await page.evaluate(() => Math.max(0, ...(window as unknown as { tasks: number[] }).tasks))
    steps.push({ step: name, result, longestTask, memory: await memory.peak() })
  }

  await page.getByTestId('open-capture').click()
  await page.getByLabel(/^Path of a capture/).fill(capture)
  const begun = performance.now()
  await step('open, to the first rows', async () => {
    await page.getByRole('button', { name: 'Open', exact: true }).click()
    await page.getByTestId('call-row').first().waitFor({ timeout: 120_000 })
    return since(begun)
  })
  await step('open, to all rows', async () => {
    await page.waitForFunction(
      () => !document.querySelector<HTMLButtonElement>('[data-testid="transport"] button')?.disabled,
    )
    return since(begun)
  })
  await step('filters, each to the picture', async () => {
    const times: number[] = []
    for (let turn = 0; turn < TURNS; turn++) for (const text of FILTERS) times.push(await filter(page, text))
    times.sort((a, b) => a - b)
    const at = (share: number): string => (times[Math.floor((times.length - 1) * share)] ?? 0).toFixed(0)
    return `${at(0.5)} ms (p50), ${at(0.9)} ms (p90), at most ${at(1)} ms`
  })
  await step('scroll for 6 s', async () => `${(await scroll(page)).toFixed(0)} frames a second`)
  await step('a call opened', async () => {
    const clicked = performance.now()
    await page.getByTestId('call-row').last().click()
    await page.getByTestId('detail').last().waitFor()
    await page.getByTestId('frame-row').first().waitFor()
    return since(clicked)
  })
  await page.keyboard.press('Escape')
  const head = page.getByRole('slider', { name: 'moment that is shown' })
  await step('the playhead to the beginning', async () => {
    await head.focus()
    return measured(page, () => page.keyboard.press('Home'))
  })
  // The capture is of 50 s.
  await step('play for 8 s at ×5', async () => {
    await page.getByLabel('speed').selectOption('5')
    await page.getByRole('button', { name: 'play', exact: true }).click()
    const rate = await frames(page, 8_000)
    await page.getByRole('button', { name: 'pause', exact: true }).click()
    return `${rate.toFixed(0)} frames a second`
  })
  await step('the playhead moved, 20 times', async () => {
    await head.focus()
    const times: number[] = []
    for (let turn = 0; turn < 20; turn++) {
      const begin = performance.now()
      await head.evaluate((input: HTMLInputElement, turn) => {
        const setter = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set
        setter?.call(input, String(Number(input.max) * (turn % 2 === 0 ? 0.9 - turn / 100 : 0.4 + turn / 100)))
        input.dispatchEvent(new Event('input', { bubbles: true }))
        return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
      }, turn)
      times.push(performance.now() - begin)
    }
    return `${Math.min(...times).toFixed(0)} to ${Math.max(...times).toFixed(0)} ms`
  })
  return steps
}

function since(begun: number): string {
  return `${(performance.now() - begun).toFixed(0)} ms`
}

/** Until the next picture is drawn. */
async function measured(page: Page, work: () => Promise<unknown>): Promise<string> {
  const begin = performance.now()
  await work()
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
  return since(begin)
}

/** From the keystroke until the picture with what was found is drawn: a message that is posted in its frame comes after it. */
async function filter(page: Page, text: string): Promise<number> {
  await page.waitForTimeout(PAUSE_MS)
  return page.evaluate(async (value) => {
    const input = [...document.querySelectorAll<HTMLInputElement>('[data-testid="filter-input"]')].find(
      (each) => each.offsetParent !== null,
    )
    const setter = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set
    const begin = performance.now()
    setter?.call(input, value)
    input?.dispatchEvent(new Event('input', { bubbles: true }))
    await new Promise((resolve) => requestAnimationFrame(resolve))
    await new Promise((resolve) => {
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = resolve
      port2.postMessage(null)
    })
    return performance.now() - begin
  }, text)
}

async function scroll(page: Page): Promise<number> {
  const box = await page.getByRole('grid').last().boundingBox()
  if (box === null) throw new Error('the table is not in sight')
  await page.mouse.move(box.x + 80, box.y + 40)
  const counted = frames(page, 6_000)
  const end = performance.now() + 6_000
  for (let turn = 0; performance.now() < end; turn++) {
    await page.mouse.wheel(0, turn % 60 < 30 ? -700 : 700)
    await page.waitForTimeout(16)
  }
  return counted
}

/** Pictures a second that the page draws. */
function frames(page: Page, milliseconds: number): Promise<number> {
  return page.evaluate(
    (time) =>
      new Promise<number>((resolve) => {
        const begin = performance.now()
        let count = 0
        const tick = (now: number): void => {
          count++
          if (now - begin >= time) resolve((count / (now - begin)) * 1_000)
          else requestAnimationFrame(tick)
        }
        requestAnimationFrame(tick)
      }),
    milliseconds,
  )
}

async function heapOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  await session.detach()
  return usedSize / 1e6
}

/** Of the page, and of the one that a browser keeps in reserve. */
async function pageProcesses(browser: Browser): Promise<number[]> {
  const session = await browser.newBrowserCDPSession()
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  await session.detach()
  return processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => id)
}

interface Memory {
  /** What the largest process took at the most since the last time, MB. */
  peak(): Promise<number>
  stop(): void
}

/** Looks at processes now and then. */
function watchMemory(pids: readonly number[]): Memory {
  let most = 0
  const look = async (): Promise<void> => {
    for (const pid of pids) most = Math.max(most, await kilobytes(pid, 'RssAnon'))
  }
  const timer = setInterval(() => void look(), 100)
  return {
    async peak() {
      await look()
      const peak = most / 1_024
      most = 0
      return peak
    },
    stop: () => clearInterval(timer),
  }
}

async function peakOf(pid: number): Promise<number> {
  return (await kilobytes(pid, 'VmHWM')) / 1_024
}

/** A line of the status of a process; 0 where there is no /proc. */
async function kilobytes(pid: number, name: string): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0)
}
