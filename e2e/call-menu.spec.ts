import AxeBuilder from '@axe-core/playwright'
import { expect, rowOf, test } from './desk'

const quick = (key: string) => ({ name: 'workbench__quick', arguments: { key } })

test('the other button opens the menu of a call', async ({ desk, client }) => {
  await client.listTools()
  await client.callTool(quick('a'))
  await client.callTool({ name: 'faults__tool_error' })
  const filter = desk.getByTestId('filter-input')
  const row = rowOf(desk, 'workbench__quick')
  const menu = desk.getByTestId('call-menu')

  // An offer of the filter that lies above rows is not taken by it.
  await filter.click()
  await desk.getByRole('option').first().click({ button: 'right' })
  await expect(filter).toHaveValue('')
  await desk.keyboard.press('Escape')
  await row.click({ button: 'right' })
  await expect(menu).toContainText(/^#\d+ tools\/call workbench__quick/)
  await expect(row).toHaveAttribute('aria-selected', 'true')
  // What needs the call itself comes when it has been read.
  await expect(menu.getByRole('menuitem', { name: 'Copy as cURL' })).toBeVisible()
  const { violations } = await new AxeBuilder({ page: desk }).setLegacyMode().analyze()
  expect(violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')).toEqual([])

  await menu.getByRole('menuitem', { name: 'Mark or unmark' }).click()
  await expect(menu).toHaveCount(0)
  await expect(desk.getByRole('grid')).toBeFocused()
  await expect(desk.getByTestId('mark-call')).toHaveAttribute('aria-label', /^mark: /)

  await row.click({ button: 'right' })
  await menu.getByRole('menuitem', { name: 'Show only' }).hover()
  await desk.getByRole('menuitem', { name: 'tool workbench__quick' }).click()
  await expect(filter).toHaveValue('tool:=workbench__quick')
  await expect(desk.getByTestId('call-row')).toHaveCount(1)
  await filter.fill('method:tools/call')
  await row.click({ button: 'right' })
  await menu.getByRole('menuitem', { name: 'Hide' }).hover()
  await desk.getByRole('menuitem', { name: 'backend workbench' }).click()
  await expect(filter).toHaveValue('method:tools/call -backend:=workbench')
  await expect(desk.getByTestId('call-row')).toHaveCount(1)
  await expect(desk.getByTestId('call-row')).toContainText('faults__tool_error')
})

test('the menu of a call is opened, used and left with keys alone', async ({ desk, client }) => {
  await client.callTool(quick('a'))
  await client.callTool({ name: 'faults__tool_error' })
  await rowOf(desk, 'faults__tool_error').click()
  // Not over the menu, where it would choose, too.
  await desk.mouse.move(0, 0)
  const menu = desk.getByTestId('call-menu')
  await desk.getByRole('grid').focus()
  await desk.keyboard.press('ArrowUp')
  await expect(rowOf(desk, 'workbench__quick')).toHaveAttribute('aria-selected', 'true')
  await desk.keyboard.press('Shift+F10')
  await expect(menu).toContainText('workbench__quick')
  const place = await rowOf(desk, 'workbench__quick').boundingBox()
  const shown = await menu.boundingBox()
  // At its row, or above it where there is no room below.
  expect(Math.abs((shown?.x ?? 0) - (place?.x ?? 0))).toBeLessThan(60)

  // Letters go to what begins so, and nothing else is done by them meanwhile.
  await desk.keyboard.press('c')
  await desk.keyboard.press('Escape')
  await expect(menu).toHaveCount(0)
  await expect(desk.getByRole('grid')).toBeFocused()

  await desk.keyboard.press('Shift+F10')
  await expect(menu.getByRole('menuitem').first()).toBeFocused()
  await desk.keyboard.press('End')
  await expect(menu.getByRole('menuitem', { name: 'Hide' })).toBeFocused()
  for (const name of ['Show only', 'Pin above the table, or unpin', 'Comment…']) {
    await desk.keyboard.press('ArrowUp')
    await expect(menu.getByRole('menuitem', { name })).toBeFocused()
  }
  await desk.keyboard.press('Enter')
  await expect(desk.getByRole('textbox', { name: /comment/i })).toBeFocused()
})

test('calls so far are hidden from the table, and come back with the filter', async ({ desk, client }) => {
  await client.callTool(quick('a'))
  await rowOf(desk, 'workbench__quick').click()
  await desk.getByTestId('filter-input').fill('method:tools/call')
  await desk.getByRole('grid').focus()
  await desk.keyboard.press('x')
  await expect(desk.getByTestId('filter-input')).toHaveValue(/^method:tools\/call call:>\d+$/)
  await expect(desk.getByTestId('call-row')).toHaveCount(0)
  await client.callTool({ name: 'faults__tool_error' })
  await expect(desk.getByTestId('call-row')).toHaveCount(1)
  await desk.getByTestId('calls-menu').click()
  await desk.getByRole('menuitem', { name: 'Hide the calls so far' }).click()
  await expect(desk.getByTestId('filter-input')).toHaveValue(/^method:tools\/call call:>\d+$/)
  await expect(desk.getByTestId('call-row')).toHaveCount(0)
  await desk.getByTestId('filter-input').fill('')
  await expect(rowOf(desk, 'workbench__quick')).toBeVisible()
})
