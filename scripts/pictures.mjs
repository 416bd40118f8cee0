// Draws docs/images anew: the desk over the demo, in both themes. Needs a Chromium and a build.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { chromium } from '@playwright/test'
import { buildIfNeeded } from './build.mjs'
import { findChromium } from './chromium.mjs'
import { root } from './runtime.mjs'

const SIZE = { width: 1440, height: 900 }
/** Long enough for the demo to have shown everything once. */
const WARM_UP_MS = 20_000
/** Into a forecast, which takes three seconds. */
const MID_CALL_MS = 2_400
const VERSION = '2026-07-28'

buildIfNeeded(console.log)
const found = await findChromium(console.log)
if (found.reason) throw new Error(found.reason)
const folder = mkdtempSync(join(tmpdir(), 'sluice-pictures-'))
const images = join(root, 'docs', 'images')
mkdirSync(images, { recursive: true })

const { child, ui, endpoint } = await serve()
const client = new Client({ name: 'my-agent', version: '1.0.0' }, { versionNegotiation: { mode: { pin: VERSION } } })
await client.connect(new StreamableHTTPClientTransport(new URL(endpoint)))
const browser = await chromium.launch({ executablePath: found.executable, args: ['--no-sandbox', '--disable-gpu'] })
try {
  for (const colorScheme of ['dark', 'light']) {
    const page = await browser.newPage({ viewport: SIZE, colorScheme })
    await page.goto(ui)
    await page.getByRole('button', { name: 'No, thanks' }).click()
    if (colorScheme === 'dark') await page.waitForTimeout(WARM_UP_MS)
    const { over } = await forecast(page)
    await page.waitForTimeout(MID_CALL_MS)
    await page.screenshot({ path: join(images, `desk-${colorScheme}.png`) })
    await over

    // The first trip of all, which is over: of the newest the later rounds may not have come yet.
    const filter = page.getByTestId('filter-input')
    await filter.fill('book_trip')
    await page.getByTestId('call-row').filter({ hasText: 'book_trip' }).first().waitFor()
    const [first] = (await callsOf(page, 'book_trip')).sort((one, other) => one - other)
    await rowOf(page, first).click()
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
  await client.close()
  // It writes into the folder until it is gone.
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
  rmSync(folder, { recursive: true, force: true })
}

async function serve() {
  const script = join(root, 'out', 'main', 'sluice.js')
  const switches = ['serve', '--demo', '--ui', '--json', '--data', folder]
  const child = spawn(process.execPath, [script, ...switches], { stdio: ['ignore', 'pipe', 'inherit'] })
  for await (const line of createInterface({ input: child.stdout })) return { child, ...JSON.parse(line) }
  throw new Error('sluice serve did not start')
}

/** Calls for a forecast, and opens its row. Answers with the end of the call, in a member: it is not waited for. */
async function forecast(page) {
  const newest = async () => Math.max(0, ...(await callsOf(page, 'weather__forecast')))
  const before = await newest()
  const over = client.callTool(
    { name: 'weather__forecast', arguments: { city: 'Tromsø' }, _meta: { 'io.modelcontextprotocol/logLevel': 'info' } },
    { onprogress: () => undefined },
  )
  while ((await newest()) === before) await page.waitForTimeout(20)
  await rowOf(page, await newest()).click()
  return { over }
}

/** Numbers of the calls whose rows are there and have this text; rows stand in any order in the document. */
function callsOf(page, text) {
  const rows = page.getByTestId('call-row').filter({ hasText: text })
  return rows.evaluateAll((all) => all.map((row) => Number(row.dataset.call)))
}

function rowOf(page, call) {
  return page.locator(`[data-testid="call-row"][data-call="${call}"]`)
}
