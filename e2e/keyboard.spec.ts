import type { Page } from '@playwright/test'
import { command, expect, rowOf, tabTo, test } from './desk'

const quick = (key: string) => ({ name: 'workbench__quick', arguments: { key } })
const grid = (desk: Page) => desk.getByRole('grid', { name: 'calls' })

test('what has the focus may go, the focus stays: with tabs, the detail, comments, dialogs and views', async ({
  desk,
  client,
}) => {
  await client.callTool(quick('a'))
  await rowOf(desk, 'workbench__quick').click()
  await desk.keyboard.press('1')
  await tabTo(desk, 'close detail')
  await desk.getByRole('listbox', { name: 'frames' }).focus()
  for (const key of '234567') {
    await desk.keyboard.press(key)
    await expect(desk.getByRole('tabpanel'), `the part that ${key} shows`).toBeFocused()
  }
  await desk.keyboard.press('Escape')
  await expect(grid(desk)).toBeFocused()

  await desk.keyboard.press('j')
  await desk.keyboard.press('c')
  await desk.keyboard.type('look here')
  await desk.keyboard.press('ControlOrMeta+Enter')
  await expect(desk.getByTestId('comment')).toContainText('look here')
  await expect(grid(desk), 'after a comment').toBeFocused()

  for (const open of ['?', 'ControlOrMeta+k', '#']) {
    await desk.keyboard.press(open)
    await expect(desk.getByRole('dialog')).toBeVisible()
    await desk.keyboard.press('Escape')
    await expect(grid(desk), `after the dialog of ${open}`).toBeFocused()
  }
  await tabTo(desk, 'keys')
  await desk.keyboard.press('Enter')
  await desk.getByRole('dialog').getByRole('button', { name: 'close', exact: true }).click()
  await expect(desk.getByRole('button', { name: 'keys', exact: true })).toBeFocused()

  await grid(desk).focus()
  for (const view of ['settings', 'findings', 'statistics', 'compose']) {
    await command(desk, view)
    await expect(desk.getByTestId(`${view}-item`)).toHaveAttribute('aria-current', 'true')
    await expect.poll(() => desk.evaluate(() => document.activeElement?.closest('main, nav') !== null)).toBe(true)
  }
})

test('Tab leaves the filter once its word is ended, and keys go from part to part', async ({ desk, client }) => {
  await client.callTool(quick('a'))
  await rowOf(desk, 'workbench__quick').click()
  const filter = desk.getByTestId('filter-input')
  await desk.keyboard.press('/')
  await desk.keyboard.type('back')
  await desk.keyboard.press('Tab')
  await expect(filter).toHaveValue('backend:')
  await desk.keyboard.type('work')
  await desk.keyboard.press('Tab')
  await expect(filter).toHaveValue('backend:workbench ')
  await desk.keyboard.press('Tab')
  await expect(desk.getByRole('button', { name: 'clear filter' })).toBeFocused()
  await desk.keyboard.press('Shift+Tab')
  await expect(filter).toBeFocused()
  await desk.keyboard.press('Tab')
  await expect(filter).toHaveValue('backend:workbench ')

  await desk.keyboard.press('F6')
  await expect(desk.getByTestId('live-item')).toBeFocused()
  await desk.keyboard.press('F6')
  await expect(grid(desk)).toBeFocused()
  await desk.keyboard.press('F6')
  await expect(desk.getByTestId('tab-stream')).toBeFocused()
  await desk.keyboard.press('F6')
  await expect(filter).toBeFocused()
  await desk.keyboard.press('ControlOrMeta+k')
  await expect(desk.getByTestId('palette')).toBeVisible()
})

test('offers are one stop of Tab, and a call to edit brings the keyboard to its first field', async ({
  desk,
  client,
}) => {
  await client.callTool(quick('a'))
  await rowOf(desk, 'workbench__quick').click()
  await tabTo(desk, 'edit and send again')
  await desk.keyboard.press('Enter')
  await expect(desk.getByTestId('schema-form').getByRole('textbox', { name: /^key/ })).toBeFocused()

  const search = desk.getByRole('searchbox', { name: 'find what to compose' })
  await search.focus()
  await desk.keyboard.type('booking')
  await desk.keyboard.press('ArrowDown')
  const offers = desk.getByTestId('offer-entry')
  await expect(offers.filter({ hasText: 'book_trip' })).toBeFocused()
  await search.fill('')
  await offers.first().focus()
  await desk.keyboard.press('End')
  await expect(offers.last()).toBeFocused()
  await expect(desk.locator('[data-testid="offer-entry"][tabindex="0"]')).toHaveCount(1)
})

test('an answer that is held up keeps its button in sight', async ({ desk }) => {
  await desk.getByTestId('compose-item').click()
  await desk.getByTestId('offer-entry').filter({ hasText: 'book_trip' }).click()
  await desk.getByLabel(/^city/).fill('Kyoto')
  await desk.getByTestId('compose-send').click()
  const send = desk.getByRole('button', { name: 'Send the answer' })
  await send.focus()
  const box = await send.boundingBox()
  const height = Math.ceil((box?.y ?? 0) + (box?.height ?? 0)) + 4
  await desk.setViewportSize({ width: 1440, height })
  // What is scrolled into sight in a window that becomes smaller only then is out of it again.
  await expect.poll(() => desk.evaluate(() => innerHeight)).toBe(height)
  await desk.keyboard.press('Enter')
  const anyway = desk.getByRole('button', { name: 'Send anyway' })
  await expect(anyway).toBeFocused()
  await expect(anyway).toBeInViewport({ ratio: 1 })
})
