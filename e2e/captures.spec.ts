import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { openCapture, recorded, writeHar } from './capture-files'
import { expect, rowOf, test } from './desk'

const quick = (key: string) => ({ name: 'workbench__quick', arguments: { key } })

const rows = (desk: Page) => desk.getByTestId('call-row')

test('a capture is opened beside the live run, and each has its own calls', async ({
  desk,
  opened,
  client,
  folder,
}) => {
  await client.callTool(quick('recorded'))
  await expect(rowOf(desk, 'workbench__quick')).toContainText('JSON 200')
  await openCapture(opened, await recorded(folder, 'friday.ndjson', 'workbench__quick'))
  await expect(desk.getByTestId('capture-pane')).toBeVisible()
  await expect(rowOf(desk, 'workbench__quick')).toContainText('JSON 200')

  await rowOf(desk, 'workbench__quick').click()
  await desk.getByTestId('tab-request').click()
  await expect(desk.getByTestId('detail').last()).toContainText('recorded')
  const before = await rows(desk).count()

  await client.callTool(quick('later'))
  await desk.getByTestId('live-item').click()
  await expect.poll(() => rows(desk).count()).toBeGreaterThan(before)
  await desk.getByTestId('capture-item').click()
  await expect(rows(desk)).toHaveCount(before)

  for (const theme of ['light', 'dark'] as const) {
    await desk.emulateMedia({ colorScheme: theme })
    const { violations } = await new AxeBuilder({ page: desk }).setLegacyMode().analyze()
    expect(violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')).toEqual([])
  }
  await desk.getByRole('button', { name: 'close capture' }).click()
  await expect(desk.getByTestId('capture-item')).toHaveCount(0)
  await expect(desk.getByTestId('live-item')).toHaveAttribute('aria-current', 'true')
})

test('a capture is played: the table shows what there was at the playhead', async ({
  desk,
  opened,
  client,
  folder,
}) => {
  for (const key of ['a', 'b', 'c']) await client.callTool(quick(key))
  await openCapture(opened, await recorded(folder, 'played.ndjson', 'workbench__quick', 3))
  await expect(desk.getByTestId('capture-pane')).toBeVisible()
  await expect(rows(desk).filter({ hasText: 'workbench__quick' })).toHaveCount(3)
  const all = await rows(desk).count()

  const head = desk.getByRole('slider', { name: 'moment that is shown' })
  await head.focus()
  await desk.keyboard.press('Home')
  await expect(rows(desk)).toHaveCount(1)
  // No room is kept for calls that are not there yet.
  await expect(desk.getByRole('grid')).toHaveAttribute('aria-rowcount', '2')
  await expect(head).toHaveAttribute('aria-valuetext', /^0:00\.0 of/)

  await desk.getByLabel('speed').selectOption('100')
  await desk.getByRole('button', { name: 'play', exact: true }).click()
  await expect(rows(desk)).toHaveCount(all)
  await expect(desk.getByRole('button', { name: 'play', exact: true })).toBeVisible()

  await head.focus()
  await desk.keyboard.press('Home')
  await expect(rows(desk)).toHaveCount(1)
  // By its key as well, and there above all: nothing is typed into a slider.
  await desk.keyboard.press('p')
  await expect(rows(desk)).toHaveCount(all)
  await expect(desk.getByRole('button', { name: 'play', exact: true })).toBeVisible()
  await head.focus()
  await desk.keyboard.press('Home')
  await expect(rows(desk)).toHaveCount(1)
  await desk.getByRole('button', { name: 'whole capture' }).click()
  await expect(rows(desk)).toHaveCount(all)
})

test('captures play side by side, and the rail says which', async ({ desk, opened, client, folder }) => {
  for (const key of ['a', 'b']) await client.callTool(quick(key))
  const [short, long] = [await recorded(folder, 'short.ndjson', 'workbench__quick', 2), join(folder, 'long.ndjson')]
  // As if the last call had come ten minutes later.
  const lines = (await readFile(short, 'utf8')).trim().split('\n')
  const [, last] = /"call":(\d+)[^]*$/.exec(lines.at(-1) ?? '') ?? []
  const later = lines.map((line) =>
    line.includes(`"call":${last},`) ? line.replace(/"at":(\d+)/, (_, at) => `"at":${Number(at) + 600_000_000}`) : line,
  )
  await writeFile(long, `${later.join('\n')}\n`)

  const item = (name: string) => desk.getByTestId('capture-item').filter({ hasText: name })
  const playing = (name: string) => item(name).getByRole('img', { name: 'playing' })
  for (const file of [short, long]) await openCapture(opened, file)
  await expect(item('long.ndjson')).toHaveAttribute('aria-current', 'true')
  await desk.getByRole('button', { name: 'play', exact: true }).click()
  await expect(playing('long.ndjson')).toBeVisible()
  await item('short.ndjson').click()
  await expect(playing('long.ndjson')).toBeVisible()
  await expect(playing('short.ndjson')).toBeHidden()
  await desk.getByLabel('speed').selectOption('100')
  await desk.getByRole('button', { name: 'play', exact: true }).click()
  await expect(desk.getByRole('button', { name: 'play', exact: true })).toBeVisible()
  await item('long.ndjson').click()
  await desk.getByRole('button', { name: 'pause', exact: true }).click()
  await expect(playing('long.ndjson')).toBeHidden()
})

test('a file that is no capture says so, and can be closed', async ({ desk, opened }) => {
  await openCapture(opened, join(process.cwd(), 'package.json'))
  await expect(desk.getByTestId('capture-waiting')).toContainText('could not be opened')
  await desk.getByTestId('capture-waiting').getByRole('button', { name: 'Close' }).click()
  await expect(desk.getByTestId('capture-item')).toHaveCount(0)
})

test('a HAR is opened as a capture is, and what is exported of it is written', async ({ desk, opened, folder }) => {
  const har = await writeHar(join(folder, 'web.har'), 'from_the_web')
  await openCapture(opened, har)
  await expect(desk.getByTestId('capture-pane')).toContainText('web.har')
  await expect(rowOf(desk, 'from_the_web')).toContainText('JSON 200')

  const out = join(folder, 'web.json')
  await opened.electronApp?.evaluate(({ dialog }, path) => {
    dialog.showSaveDialog = () => Promise.resolve({ canceled: false, filePath: path })
  }, out)
  await desk.getByTestId('calls-menu').click()
  await desk.getByRole('menuitem', { name: 'Export…' }).click()
  await desk.getByRole('radio', { name: 'JSON', exact: true }).click()
  if (opened.electronApp === undefined) await desk.getByLabel(/^Path on the machine/).fill(out)
  await desk.getByRole('button', { name: 'Export redacted' }).click()
  await expect(desk.getByTestId('exported')).toContainText('1 call')
})
