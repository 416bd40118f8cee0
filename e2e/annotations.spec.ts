import { readFile } from 'node:fs/promises'
import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { openCapture, recorded } from './capture-files'
import { expect, rowOf, test } from './desk'

const quick = (key: string) => ({ name: 'workbench__quick', arguments: { key } })
const pinned = (desk: Page) => desk.getByRole('grid').locator('[role=rowgroup]').first().getByTestId('call-row')

test('marks, comments and pins are kept with the run, and found by the filter', async ({ desk, client, folder }) => {
  for (const key of ['a', 'b', 'c']) await client.callTool(quick(key))
  await expect(desk.getByTestId('call-row').filter({ hasText: 'workbench__quick' })).toHaveCount(3)
  await rowOf(desk, 'workbench__quick').click()
  const call = await rowOf(desk, 'workbench__quick').getAttribute('data-call')
  const row = desk.locator(`[data-testid="call-row"][data-call="${call}"]`)

  await desk.keyboard.press('m')
  await expect(row.locator('[data-mark="red"]')).toBeVisible()
  await desk.keyboard.press('c')
  await desk.keyboard.type('the first\nthat is slow')
  await desk.keyboard.press('ControlOrMeta+Enter')
  await expect(row.getByTestId('row-comment')).toContainText('the first')
  await expect(desk.getByTestId('comment')).toContainText('that is slow')
  await desk.keyboard.press('P')
  await expect(pinned(desk)).toHaveAttribute('data-call', call ?? '')

  for (const theme of ['light', 'dark'] as const) {
    await desk.emulateMedia({ colorScheme: theme })
    const { violations } = await new AxeBuilder({ page: desk }).setLegacyMode().analyze()
    expect(violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')).toEqual([])
  }

  await desk.reload()
  await expect(row.locator('[data-mark="red"]')).toBeVisible()
  await expect(pinned(desk)).toHaveCount(1)
  for (const filter of ['is:marked', 'mark:red is:pinned', 'comment:slow']) {
    await desk.getByTestId('filter-input').fill(filter)
    await expect(desk.getByTestId('call-row')).toHaveCount(1)
  }
  await desk.getByTestId('filter-input').fill('')
  // Moved from call to call by the key, and taken off again.
  await desk.getByRole('grid').focus()
  await desk.keyboard.press('g')
  await desk.keyboard.press('n')
  await expect(row).toHaveAttribute('aria-selected', 'true')
  await desk.keyboard.press('P')
  await expect(pinned(desk)).toHaveCount(0)
  await expect
    .poll(async () => readFile(await recorded(folder, 'look.ndjson', 'workbench__quick', 3), 'utf8'))
    .toContain('"mark":"red","comment":"the first\\nthat is slow"}')
})

test('an opened capture keeps its marks beside it', async ({ desk, opened, client, folder }) => {
  await client.callTool(quick('recorded'))
  const file = await recorded(folder, 'friday.ndjson', 'workbench__quick')
  await openCapture(opened, file)
  await expect(desk.getByTestId('capture-pane')).toBeVisible()
  await expect(rowOf(desk, 'workbench__quick')).toContainText('JSON 200')
  const before = await readFile(file, 'utf8')

  await rowOf(desk, 'workbench__quick').click()
  await desk.getByTestId('mark-call').click()
  await desk.getByRole('menuitem', { name: 'blue diamond' }).click()
  await expect(rowOf(desk, 'workbench__quick').locator('[data-mark="blue"]')).toBeVisible()
  await desk.keyboard.press('c')
  await desk.keyboard.type('ask Ada')
  await desk.getByRole('button', { name: 'Keep' }).click()
  await expect(rowOf(desk, 'workbench__quick')).toContainText('ask Ada')
  await desk.getByRole('button', { name: 'close capture' }).click()

  await openCapture(opened, file)
  await expect(rowOf(desk, 'workbench__quick')).toContainText('ask Ada')
  await expect(rowOf(desk, 'workbench__quick').locator('[data-mark="blue"]')).toBeVisible()
  expect(await readFile(file, 'utf8')).toBe(before)
  expect(await readFile(`${file}.marks`, 'utf8')).toContain('ask Ada')
})
