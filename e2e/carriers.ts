import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium, _electron, type ElectronApplication, type Page } from '@playwright/test'

const root = fileURLToPath(new URL('..', import.meta.url))

export interface OpenDesk {
  page: Page
  electronApp?: ElectronApplication
  /** Address of the desk in a browser, with its token. */
  ui?: string
  /** Ends the process behind a desk in a browser. */
  stopServing?: () => Promise<void>
  close(): Promise<void>
}

export async function openInElectron(switches: string[]): Promise<OpenDesk> {
  const executablePath = process.env.SLUICE_E2E_ELECTRON
  if (!executablePath) throw new Error('SLUICE_E2E_ELECTRON is not set: run `npm run test:e2e`, which finds a runtime')
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  const app = await _electron.launch({
    executablePath,
    args: [root, ...asRoot, '--disable-gpu', ...switches],
    cwd: root,
    // A user's own choice of another runtime must not leak in.
    env: Object.fromEntries(
      Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
    ),
  })
  return { page: await app.firstWindow(), electronApp: app, close: () => app.close() }
}

export async function openInBrowser(switches: string[]): Promise<OpenDesk> {
  const { child, ui } = await startServing(switches)
  const browser = await launchChromium()
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  await page.goto(ui)
  return {
    page,
    ui,
    stopServing: () => stop(child),
    close: async () => {
      await browser.close()
      await stop(child)
    },
  }
}

/** `switches`: further ones of the browser. */
export function launchChromium(switches: readonly string[] = []): Promise<Browser> {
  return chromium.launch({
    ...(process.env.SLUICE_E2E_CHROMIUM ? { executablePath: process.env.SLUICE_E2E_CHROMIUM } : {}),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
      ...switches,
    ],
  })
}

/** Runs the built command line tool and waits for its `listening` line. */
async function startServing(switches: string[]): Promise<{ child: ChildProcess; ui: string }> {
  const script = join(root, 'out', 'main', 'sluice.js')
  const child = spawn(process.execPath, [script, 'serve', '--ui', '--json', ...switches], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  for await (const line of createInterface({ input: child.stdout })) {
    const event = JSON.parse(line) as { event: string; ui: string | null }
    if (event.event === 'listening' && event.ui !== null) return { child, ui: event.ui }
  }
  throw new Error(`sluice serve ended with code ${child.exitCode} before it was listening`)
}

function stop(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null) return resolve()
    child.once('exit', () => resolve())
    child.kill('SIGTERM')
  })
}
