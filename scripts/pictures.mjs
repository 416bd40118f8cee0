// Draws docs/images anew: the desk over the demo, in both themes. Needs a Chromium and a build.
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { chromium } from '@playwright/test'
import { buildIfNeeded } from './build.mjs'
import { findChromium } from './chromium.mjs'
import { root } from './runtime.mjs'

const SIZE = { width: 1440, height: 900 }
/** Long enough for the demo to have shown everything once, and to be in the middle of a forecast. */
const WARM_UP_MS = 20_000
const MID_CALL_MS = 2_400

buildIfNeeded(console.log)
const found = await findChromium(console.log)
if (found.reason) throw new Error(found.reason)
const folder = mkdtempSync(join(tmpdir(), 'sluice-pictures-'))
const images = join(root, 'docs', 'images')
mkdirSync(images, { recursive: true })

const { child, ui } = await serve()
const browser = await chromium.launch({ executablePath: found.executable, args: ['--no-sandbox', '--disable-gpu'] })
try {
  for (const colorScheme of ['dark', 'light']) {
    const page = await browser.newPage({ viewport: SIZE, colorScheme })
    await page.goto(ui)
    await page.getByRole('button', { name: 'No, thanks' }).click()
    if (colorScheme === 'dark') await page.waitForTimeout(WARM_UP_MS)
    await nextForecast(page)
    await page.waitForTimeout(MID_CALL_MS)
    await page.screenshot({ path: join(images, `desk-${colorScheme}.png`) })

    // The first trip of all, which is over: of the newest the later rounds may not have come yet.
    const filter = page.getByTestId('filter-input')
    await filter.fill('book_trip')
    await page.getByTestId('call-row').filter({ hasText: 'book_trip' }).first().click()
    await page.getByTestId('tab-rounds').click()
    await filter.fill('')
    await page.getByTestId('round-card').nth(1).getByRole('button', { name: 'reveal' }).first().click()
    await page.screenshot({ path: join(images, `rounds-${colorScheme}.png`) })

    await page.getByTestId('compose-item').click()
    await page.keyboard.press('Escape')
    await page.getByTestId('offer-entry').filter({ hasText: 'book_trip' }).click()
    await page.getByLabel(/^city/).fill('Kyoto')
    await page.getByTestId('compose-send').click()
    await page
      .getByTestId('ask')
      .getByLabel(/Departure/)
      .fill('2027-05-01')
    await page.screenshot({ path: join(images, `compose-${colorScheme}.png`) })
    await page.close()
  }
} finally {
  await browser.close()
  child.kill('SIGTERM')
  rmSync(folder, { recursive: true, force: true })
}

async function serve() {
  const script = join(root, 'out', 'main', 'sluice.js')
  const child = spawn(process.execPath, [script, 'serve', '--demo', '--ui', '--json', '--data', folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  for await (const line of createInterface({ input: child.stdout })) return { child, ui: JSON.parse(line).ui }
  throw new Error('sluice serve did not start')
}

/** Selects the next forecast that is not going to be cancelled: it is the one after the demo's tools/list. */
async function nextForecast(page) {
  await nextRow(page, 'tools/list')
  await (await nextRow(page, 'weather__forecast')).click()
}

/** The next new row with this text, as soon as it is there. */
async function nextRow(page, text) {
  const rows = page.getByTestId('call-row').filter({ hasText: text })
  const newest = async () => ((await rows.count()) === 0 ? null : rows.last().getAttribute('data-call'))
  const before = await newest()
  while ((await newest()) === before) await page.waitForTimeout(50)
  return rows.last()
}
