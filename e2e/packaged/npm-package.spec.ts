import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { launchChromium } from '../carriers'
import { expect, root } from '../desk'
import { test } from './packaged-test'

const run = promisify(execFile)
// npm is a script on Windows, which only a shell starts.
const shell = process.platform === 'win32'

test('the npm package gives the command line and the desk in a browser, without Electron', async ({ folder }) => {
  test.setTimeout(180_000)
  const packed = await run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
    cwd: root,
    shell,
  })
  const [{ filename = '' } = {}] = JSON.parse(packed.stdout) as { filename?: string }[]
  const prefix = join(folder, 'prefix')
  await run('npm', ['install', '--global', '--prefix', prefix, '--no-audit', '--no-fund', join(folder, filename)], {
    shell,
  })

  const installed = join(prefix, ...(shell ? [] : ['lib']), 'node_modules', 'sluice-mcp')
  expect(existsSync(join(installed, 'node_modules', 'electron'))).toBe(false)
  const sluice = join(prefix, ...(shell ? ['sluice.cmd'] : ['bin', 'sluice']))
  expect((await run(sluice, ['--version'], { shell })).stdout).toMatch(/^\d+\.\d+\.\d+\n$/)

  const child = spawn(
    sluice,
    ['serve', '--demo', '--port', '0', '--ui', '--json', '--data', join(folder, 'installed')],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
      shell,
    },
  )
  const browser = await launchChromium()
  try {
    let ui = ''
    for await (const line of createInterface({ input: child.stdout })) {
      const event = JSON.parse(line) as { event: string; ui?: string }
      if (event.event !== 'listening') continue
      ui = event.ui ?? ''
      break
    }
    const page = await browser.newPage()
    await page.goto(ui)
    await expect(page.getByTestId('call-row').first()).toBeVisible()
  } finally {
    await browser.close()
    const exited = once(child, 'exit')
    child.kill('SIGTERM')
    await exited
  }
})
