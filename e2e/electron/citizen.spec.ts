import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openInElectron } from '../carriers'
import { expect, rowOf, test } from '../desk'

test('the window opens again where it was closed', async ({ desk, electronApp, folder }) => {
  await expect(desk.getByTestId('endpoint').first()).toBeVisible()
  const set = await electronApp.evaluate(({ BrowserWindow }) => {
    const [window] = BrowserWindow.getAllWindows()
    window?.setBounds({ x: 40, y: 30, width: 1000, height: 640 })
    return window?.getNormalBounds()
  })
  await electronApp.close()

  const again = await openInElectron(['--config', join(folder, 'sluice.json'), '--data', join(folder, 'data')])
  try {
    const bounds = await again.electronApp?.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]?.getNormalBounds(),
    )
    expect(bounds).toEqual(set)
  } finally {
    await again.close()
  }
})

test('a page that crashes is loaded again, and nothing is lost', async ({ desk, electronApp, client }) => {
  await client.callTool({ name: 'workbench__quick', arguments: { key: 'before' } })
  await expect(rowOf(desk, 'workbench__quick')).toBeVisible()

  const loadedAgain = electronApp.evaluate(
    ({ BrowserWindow }) =>
      new Promise<void>((resolve) => {
        const contents = BrowserWindow.getAllWindows()[0]?.webContents
        contents?.once('did-finish-load', () => resolve())
        contents?.forcefullyCrashRenderer()
      }),
  )
  await loadedAgain
  await client.callTool({ name: 'workbench__quick', arguments: { key: 'after' } })
  // Playwright does not follow a page through its crash, so the new page is asked by the main process.
  const rows = () =>
    electronApp.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]?.webContents.executeJavaScript(
        `[...document.querySelectorAll('[data-testid="call-row"]')].filter((row) => row.textContent.includes('quick')).length`,
      ),
    ) as Promise<number>
  await expect.poll(rows).toBe(2)
})

test('what it says is in a log file, and a killed app leaves a readable capture', async ({
  desk,
  electronApp,
  client,
  folder,
}) => {
  await client.callTool({ name: 'workbench__quick', arguments: { key: 'a' } })
  await expect(rowOf(desk, 'workbench__quick')).toBeVisible()
  const data = join(folder, 'data')
  await expect.poll(() => readFile(join(data, 'logs', 'desk.log'), 'utf8')).toContain('http://127.0.0.1:')

  const [capture = ''] = (await readdir(join(data, 'captures'))).filter((name) => name.endsWith('.ndjson'))
  const lines = async (): Promise<string[]> => (await readFile(join(data, 'captures', capture), 'utf8')).split('\n')
  await expect.poll(async () => (await lines()).filter((line) => line.includes('call.ended')).length).toBeGreaterThan(0)
  electronApp.process().kill('SIGKILL')
  await new Promise((resolve) => electronApp.process().once('exit', resolve))
  // All but a torn last line can be read.
  for (const line of (await lines()).slice(0, -1)) expect(JSON.parse(line)).toBeTruthy()
})
