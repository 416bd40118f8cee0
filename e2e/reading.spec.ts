import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { command, expect, rowOf, test } from './desk'

const quick = (key: string) => ({ name: 'workbench__quick', arguments: { key } })
/** In what is looked at; less of a page takes less time, which a busy machine has little of. */
const serious = async (desk: Page, within = ':root') => {
  const { violations } = await new AxeBuilder({ page: desk }).include(within).setLegacyMode().analyze()
  return violations.filter(({ impact }) => impact === 'serious' || impact === 'critical').map(({ id }) => id)
}

test('every command is in the palette, and calls are opened by number', async ({ desk, client }) => {
  await client.callTool(quick('a'))
  await client.callTool({ name: 'faults__tool_error' })
  await expect(rowOf(desk, 'faults__tool_error')).toBeVisible()
  const number = await rowOf(desk, 'workbench__quick').getAttribute('data-call')

  await desk.keyboard.press('ControlOrMeta+k')
  await expect(desk.getByTestId('palette').getByText('Open a capture…')).toBeVisible()
  expect(await serious(desk)).toEqual([])
  await desk.keyboard.press('Escape')
  await expect(desk.getByTestId('palette')).toHaveCount(0)

  await command(desk, `#${number}`)
  await expect(desk.getByTestId('detail').last()).toContainText('workbench__quick')
  await command(desk, 'raw')
  await expect(desk.getByTestId('tab-raw')).toHaveAttribute('aria-selected', 'true')
  await command(desk, 'faults')
  await expect(desk.getByTestId('backend-view')).toContainText('faults')
  await desk.keyboard.press('Alt+ArrowLeft')
  await expect(desk.getByTestId('detail').last()).toContainText('workbench__quick')
  await desk.keyboard.press('Alt+ArrowRight')
  await expect(desk.getByTestId('backend-view')).toBeVisible()
})

test('keys are chosen, taken from others, and remembered', async ({ desk, client }) => {
  for (const key of ['a', 'b']) await client.callTool(quick(key))
  await expect(desk.getByTestId('call-row').filter({ hasText: 'workbench__quick' })).toHaveCount(2)
  await rowOf(desk, 'workbench__quick').click()
  const selected = () => desk.locator('[data-testid="call-row"][aria-selected="true"]').getAttribute('data-call')
  const last = await selected()

  await desk.keyboard.press('?')
  const sheet = desk.getByRole('dialog')
  await sheet.getByRole('button', { name: /^key for Previous call:/ }).click()
  await desk.keyboard.press('j')
  await expect(sheet.getByRole('status')).toContainText('was the key of “Next call”')
  await expect(sheet.getByRole('button', { name: /^key for Next call:/ })).toHaveAccessibleName(/none/)
  expect(await serious(desk, 'dialog')).toEqual([])
  await desk.keyboard.press('Escape')
  await desk.reload()

  await expect(desk.getByTestId('call-row').filter({ hasText: 'workbench__quick' })).toHaveCount(2)
  // By its number: rows stand in the document in any order for a moment after they moved.
  await desk.locator(`[data-testid="call-row"][data-call="${last}"]`).click()
  await expect.poll(selected).toBe(last)
  await desk.keyboard.press('j')
  await expect.poll(selected).toBe(String(Number(last) - 1))
  await desk.keyboard.press('?')
  await desk.getByRole('dialog').getByRole('button', { name: 'Reset' }).click()
  await desk.keyboard.press('Escape')
  await desk.keyboard.press('j')
  await expect.poll(selected).toBe(last)
})

test('statistics by tool, and from there to the calls', async ({ desk, client }) => {
  for (const key of ['a', 'b', 'c']) await client.callTool(quick(key))
  await client.callTool({ name: 'faults__tool_error' })
  await desk.getByTestId('statistics-item').click()
  const row = desk.getByTestId('statistics-row').filter({ hasText: 'quick' })
  await expect(row.getByRole('cell').first()).toHaveText('3')
  await expect(desk.getByTestId('statistics-row').filter({ hasText: 'tool_error' })).toContainText('100 %')
  expect(await serious(desk)).toEqual([])
  await desk.getByRole('columnheader', { name: 'errors' }).getByRole('button').click()
  await expect(desk.getByTestId('statistics-row').first()).toContainText('tool_error')
  await row.getByRole('button').click()
  await expect(desk.getByTestId('call-row')).toHaveCount(3)
  await expect(desk.getByTestId('filter-input')).toHaveValue('tool:=quick backend:=workbench')
})

test('a stretch of the timeline narrows the table', async ({ desk, client }) => {
  await client.callTool(quick('a'))
  // Two bars apart at least.
  await new Promise((resolve) => setTimeout(resolve, 300))
  await client.callTool({ name: 'faults__tool_error' })
  const timeline = desk.getByTestId('timeline')
  await expect(timeline).toBeVisible()
  const before = await desk.getByTestId('call-row').count()
  await timeline.focus()
  await desk.keyboard.press('ArrowLeft')
  await expect(desk.getByTestId('filter-input')).toHaveValue(/^at:\d+us\.\.\d+us$/)
  await expect.poll(() => desk.getByTestId('call-row').count()).toBeLessThan(before)
  await desk.keyboard.press('Escape')
  await expect(desk.getByTestId('filter-input')).toHaveValue('')
  await expect.poll(() => desk.getByTestId('call-row').count()).toBeGreaterThanOrEqual(before)
})

test('settings are searched, written into the configuration file, and taken out again', async ({ desk, folder }) => {
  await desk.getByTestId('settings-item').click()
  const row = desk.locator('[data-setting="deferralWindowMs"]')
  await expect(row.getByRole('textbox')).toHaveValue('4000')
  await desk.getByRole('searchbox', { name: 'search settings' }).fill('deferral')
  await expect(desk.getByTestId('setting')).toHaveCount(1)
  await row.getByRole('textbox').fill('99999999')
  await expect(row.getByRole('alert')).toContainText('from 0 to 3600000')
  expect(await serious(desk)).toEqual([])
  await row.getByRole('textbox').fill('2500')
  await row.getByRole('textbox').press('Enter')
  const file = () => readFile(join(folder, 'sluice.json'), 'utf8')
  await expect.poll(file).toContain('"deferralWindowMs":2500')
  await row.getByRole('button', { name: 'default for deferralWindowMs' }).click()
  await expect.poll(file).not.toContain('deferralWindowMs')
  await expect(row.getByRole('textbox')).toHaveValue('15000')
})
