// Draws build/icon.png and build/icons/*.png from build/icon.svg. Needs a Chromium. electron-builder makes the icons of
// macOS and Windows from the largest one.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import { findChromium } from './chromium.mjs'
import { root } from './runtime.mjs'

const SIZES = [16, 24, 32, 48, 64, 128, 256, 512, 1024]

const found = await findChromium(console.log)
if (found.reason) throw new Error(found.reason)
const svg = readFileSync(join(root, 'build', 'icon.svg'), 'utf8')
const icons = join(root, 'build', 'icons')
mkdirSync(icons, { recursive: true })

const browser = await chromium.launch({ executablePath: found.executable, args: ['--no-sandbox', '--disable-gpu'] })
try {
  for (const size of SIZES) {
    const page = await browser.newPage({ viewport: { width: size, height: size } })
    await page.setContent(
      `<style>html,body{margin:0;background:transparent}svg{display:block;width:100vw}</style>${svg}`,
    )
    const png = await page.screenshot({ omitBackground: true })
    writeFileSync(size === 1024 ? join(root, 'build', 'icon.png') : join(icons, `${size}x${size}.png`), png)
    await page.close()
  }
} finally {
  await browser.close()
}
