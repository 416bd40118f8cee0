// Finds a Chromium for the end-to-end tests of the desk in a browser.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import { root } from './runtime.mjs'

const INSTALLED = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]
const PROBE_MS = 4_000
const DOWNLOAD_MS = 300_000

/** `{ executable }` of a browser on this machine, `{}` for Playwright's own, or `{ reason }`. Tries Playwright's download once. */
export async function findChromium(say) {
  if (existsSync(chromium.executablePath())) return {}
  const executable = INSTALLED.find((path) => existsSync(path))
  if (executable) return { executable }
  try {
    await fetch('https://cdn.playwright.dev', { method: 'HEAD', signal: AbortSignal.timeout(PROBE_MS) })
  } catch {
    return { reason: "no Chromium is installed, and Playwright's downloads cannot be reached" }
  }
  say("Downloading Playwright's Chromium (about 150 MB, once).")
  const cli = join(root, 'node_modules', '@playwright', 'test', 'cli.js')
  const result = spawnSync(process.execPath, [cli, 'install', 'chromium'], { stdio: 'inherit', timeout: DOWNLOAD_MS })
  return result.status === 0 ? {} : { reason: 'no Chromium is installed, and Playwright could not download it' }
}
