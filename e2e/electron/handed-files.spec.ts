import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, rename, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Page } from '@playwright/test'
import { captureText, manyCalls } from '../../test/capture/capture-text'
import { writeHar } from '../capture-files'
import { openInElectron } from '../carriers'
import { expect, root, test } from '../desk'

/** Files that the system hands to the app, on each of the ways it has. */

async function captureIn(folder: string, name: string): Promise<string> {
  const file = join(folder, name)
  await writeFile(file, captureText(manyCalls(3)))
  return file
}

async function expectShown(desk: Page, file: string, calls: number): Promise<void> {
  const pane = desk.getByTestId('capture-pane')
  await expect(pane.getByRole('heading', { name: basename(file) })).toBeVisible()
  await expect(pane.getByTestId('call-row')).toHaveCount(calls)
}

test('on the command line, as a file that is associated with it is opened', async ({ folder, workbench: _none }) => {
  const file = await captureIn(folder, 'a friday.sluice')
  const config = join(folder, 'sluice.json')
  await writeFile(config, JSON.stringify({ gateway: { port: 0 }, mcpServers: {} }))
  const opened = await openInElectron(['--config', config, '--data', join(folder, 'data'), file])
  try {
    await expectShown(opened.page, file, 3)
  } finally {
    await opened.close()
  }
})

test('on the command line of a second start, relative to its folder', async ({ desk, electronApp, folder }) => {
  const file = await captureIn(folder, 'second.ndjson')
  const command = await electronApp.evaluate(({ app }) => app.getPath('exe'))
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  const data = join(folder, 'data')
  const second = spawn(command, [root, ...asRoot, '--disable-gpu', '--data', data, basename(file)], { cwd: folder })
  expect(await once(second, 'exit')).toEqual([0, null])
  await expectShown(desk, file, 3)
})

test('by an event, as macOS does it, also one after the other', async ({ desk, electronApp, folder }) => {
  const hand = (path: string) =>
    electronApp.evaluate(({ app }, file) => app.emit('open-file', { preventDefault: () => undefined }, file), path)
  const first = await captureIn(folder, 'first.ndjson')
  await hand(first)
  await expectShown(desk, first, 3)
  const har = await writeHar(join(folder, 'web.har'), 'from_the_web')
  await hand(har)
  await expectShown(desk, har, 1)
  // One that is open already comes to the front.
  await hand(first)
  await expectShown(desk, first, 3)
  await expect(desk.getByTestId('capture-item')).toHaveCount(2)
})

test('by a drop on the window: several at once, which are read by their paths', async ({ desk, folder }) => {
  await expect(desk.getByTestId('endpoint').first()).toBeVisible()
  const capture = await captureIn(folder, 'dropped.ndjson')
  const har = await writeHar(join(folder, 'web.har'), 'from_the_web')
  const session = await desk.context().newCDPSession(desk)
  const data = { items: [], files: [capture, har], dragOperationsMask: 1 }
  for (const type of ['dragEnter', 'dragOver'] as const)
    await session.send('Input.dispatchDragEvent', { type, x: 600, y: 400, data })
  await expect(desk.getByText('Drop captures or HARs to open them')).toBeVisible()
  await session.send('Input.dispatchDragEvent', { type: 'drop', x: 600, y: 400, data })
  await expect(desk.getByText('Drop captures or HARs to open them')).toHaveCount(0)
  await expectShown(desk, har, 1)
  await expect(desk.getByTestId('capture-item')).toHaveCount(2)
  await desk.getByTestId('capture-item').filter({ hasText: 'dropped.ndjson' }).click()
  await expectShown(desk, capture, 3)
  // It is the file itself, and no copy of it.
  await expect(desk.getByTestId('capture-pane').getByRole('heading')).toHaveAttribute('title', capture)
})

test('one that is no capture says why, and one that is gone is passed over', async ({ desk, electronApp, folder }) => {
  await expect(desk.getByTestId('endpoint').first()).toBeVisible()
  const broken = join(folder, 'broken.ndjson')
  await copyFile(join(folder, 'sluice.json'), broken)
  const hand = (path: string) =>
    electronApp.evaluate(({ app }, file) => app.emit('open-file', { preventDefault: () => undefined }, file), path)
  await hand(broken)
  await expect(desk.getByTestId('capture-waiting')).toContainText('broken.ndjson could not be opened')
  await rename(broken, join(folder, 'elsewhere.ndjson'))
  await hand(broken)
  await expect(desk.getByTestId('capture-waiting')).toContainText('does not exist')
})
