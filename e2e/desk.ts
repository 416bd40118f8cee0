import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { type ElectronApplication, type Locator, type Page, expect, test as base } from '@playwright/test'
import { startBooking } from '../src/main/demo/booking'
import type { DemoBackend } from '../src/main/demo/demo-backend'
import { startFaults } from '../src/main/demo/faults'
import { MODERN_VERSION } from '../src/shared/protocol/revisions'
import { openInBrowser, openInElectron, type OpenDesk } from './carriers'
import { startWorkbench, type Workbench } from './workbench'

/** What carries the desk's commands and feeds: Electron's IPC, or the loopback WebSocket of `sluice serve --ui`. */
export type Carrier = 'electron' | 'browser'

/** Short enough to watch; long enough that a busy machine still looks at a call before its window ends. */
export const TIMING = { deferralWindowMs: 4_000, pingIntervalMs: 250 }

interface Options {
  carrier: Carrier
  /** Start with `--demo`, and without the test's own backends. */
  demo: boolean
  /** Leave the offer of the tour where it is; else it is declined. */
  tour: boolean
  /** Errors that the page shall log, because the test provokes them. */
  provoked: RegExp | null
}
interface Fixtures {
  /** A folder of this test's own: configuration, keys, captures. */
  folder: string
  workbench: Workbench
  opened: OpenDesk
  desk: Page
  /** The Electron application, in Electron only. */
  electronApp: ElectronApplication
  /** The gateway's aggregate endpoint, as the desk shows it. */
  endpoint: string
  /** A published client that talks through the gateway and answers what backends ask. */
  client: Client
}

export const root = fileURLToPath(new URL('..', import.meta.url))

export const test = base.extend<Fixtures & Options>({
  carrier: ['browser', { option: true }],
  demo: [false, { option: true }],
  tour: [false, { option: true }],
  provoked: [null, { option: true }],

  folder: async ({ carrier }, use) => {
    const folder = await mkdtemp(join(tmpdir(), `sluice-e2e-${carrier}-`))
    await use(folder)
    await rm(folder, { recursive: true, force: true })
  },

  workbench: async ({ folder: _folder }, use) => {
    const workbench = await startWorkbench()
    await use(workbench)
    await workbench.close()
  },

  opened: async ({ carrier, demo, tour, folder, workbench }, use) => {
    const others: Record<string, DemoBackend> = demo
      ? {}
      : { booking: await startBooking(), faults: await startFaults() }
    const backends: Record<string, DemoBackend> = demo ? {} : { workbench, ...others }
    const mcpServers = Object.fromEntries(
      Object.entries(backends).map(([name, { url }]) => [name, { type: 'http', url }]),
    )
    const config = join(folder, 'sluice.json')
    await writeFile(config, JSON.stringify({ gateway: { port: 0, ...TIMING }, mcpServers }))
    const switches = ['--config', config, '--data', join(folder, 'data'), ...(demo ? ['--demo'] : [])]

    const opened = await (carrier === 'electron' ? openInElectron(switches) : openInBrowser(switches))
    if (!tour) await opened.page.getByTestId('tour-offer').getByRole('button', { name: 'No, thanks' }).click()
    await use(opened)
    await opened.close()
    await Promise.all(Object.values(others).map((backend) => backend.close()))
  },

  desk: async ({ opened, provoked }, use) => {
    const problems: string[] = []
    opened.page.on('pageerror', (error) => problems.push(`uncaught: ${error.message}`))
    opened.page.on('console', (message) => {
      if (message.type() === 'error') problems.push(`console: ${message.text()}`)
    })
    await use(opened.page)
    expect(
      problems.filter((problem) => !provoked?.test(problem)),
      'errors in the desk',
    ).toEqual([])
  },

  electronApp: async ({ opened }, use) => {
    if (!opened.electronApp) throw new Error('only specs in e2e/electron have an Electron application')
    await use(opened.electronApp)
  },

  endpoint: async ({ desk }, use) => {
    const shown = desk.getByTestId('endpoint').first()
    await expect(shown).toContainText(/http:.*\/mcp/)
    const [endpoint = ''] = /http:\S+\/mcp/.exec(await shown.innerText()) ?? []
    await use(endpoint)
  },

  client: async ({ endpoint }, use) => {
    const client = new Client(
      { name: 'e2e', version: '1.0.0' },
      { versionNegotiation: { mode: { pin: MODERN_VERSION } }, capabilities: { elicitation: { form: {} } } },
    )
    client.setRequestHandler('elicitation/create', ({ params }) => {
      const content: Record<string, string | number | boolean> = params.message.startsWith('When')
        ? { depart: '2027-05-01', nights: 3 }
        : { confirm: true }
      return { action: 'accept', content }
    })
    await client.connect(new StreamableHTTPClientTransport(new URL(endpoint)))
    await use(client)
    await client.close()
  },
})

export { expect }

/** The row of the newest call whose text contains all of `texts`. */
export function rowOf(desk: Page, ...texts: string[]) {
  let rows = desk.getByTestId('call-row')
  for (const text of texts) rows = rows.filter({ hasText: text })
  return rows.last()
}

/** Presses Tab until this, or the first button of this name, has the focus. */
export async function tabTo(desk: Page, to: string | RegExp | Locator): Promise<void> {
  const isNamed = typeof to === 'string' || to instanceof RegExp
  const wanted = (isNamed ? desk.getByRole('button', { name: to }) : to).first()
  for (let count = 0; count < 80; count++) {
    await desk.keyboard.press('Tab')
    if (await wanted.evaluate((element) => element === document.activeElement)) return
  }
  throw new Error(`Tab never came to ${isNamed ? to : wanted}`)
}

/** Runs a command of the palette, found by `text`. */
export async function command(desk: Page, text: string): Promise<void> {
  await desk.keyboard.press('ControlOrMeta+k')
  await expect(desk.getByTestId('palette')).toBeVisible()
  await desk.keyboard.type(text)
  await desk.keyboard.press('Enter')
}
