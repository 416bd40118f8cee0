import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { type Browser, chromium, type Page } from '@playwright/test'

/** The packaged app as it is shipped: its fuses forbid the inspector, so it is driven by Chromium's own protocol. */
export interface PackagedApp {
  page: Page
  browser: Browser
  /** What it wrote to the terminal so far. */
  output(): string
  /** Ends it as a user's session would, and resolves with the exit code. */
  quit(): Promise<number | null>
}

const LISTENING = /^DevTools listening on (ws:\/\/\S+)$/

export function packagedExecutable(): string {
  const executable = process.env.SLUICE_E2E_PACKAGED
  if (!executable) throw new Error('SLUICE_E2E_PACKAGED is not set: run `npm run test:e2e`, which packages the app')
  return executable
}

/** Chromium's sandbox refuses to run as root. */
export const SWITCHES = [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), '--disable-gpu']

export async function startPackaged(switches: string[], env: NodeJS.ProcessEnv = {}): Promise<PackagedApp> {
  const child = spawn(packagedExecutable(), [...SWITCHES, '--remote-debugging-port=0', ...switches], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  })
  const lines: string[] = []
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line))
  const address = await debuggingAddress(child, lines)
  const browser = await chromium.connectOverCDP(address)
  const context = browser.contexts()[0]
  if (!context) throw new Error('the packaged app has no browser context')
  const page = context.pages().find(isDesk) ?? (await context.waitForEvent('page', { predicate: isDesk }))
  return {
    page,
    browser,
    output: () => lines.join('\n'),
    quit: async () => {
      if (child.exitCode !== null) return child.exitCode
      const exited = once(child, 'exit') as Promise<[number | null]>
      child.kill('SIGTERM')
      const [code] = await exited
      return code
    },
  }
}

function isDesk(page: Page): boolean {
  return page.url().startsWith('app://desk/')
}

async function debuggingAddress(child: ChildProcess, lines: string[]): Promise<string> {
  if (!child.stderr) throw new Error('the packaged app has no stderr')
  for await (const line of createInterface({ input: child.stderr })) {
    lines.push(line)
    const [, address] = LISTENING.exec(line) ?? []
    if (address === undefined) continue
    // Read on, or the app would block on a full pipe.
    child.stderr.on('data', (chunk: Buffer) => lines.push(chunk.toString()))
    child.stderr.resume()
    return address
  }
  throw new Error(`the packaged app ended with code ${child.exitCode}:\n${lines.join('\n')}`)
}
