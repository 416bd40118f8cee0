import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { expect, rowOf, test } from './desk'

/** Opens compose with this tool of the aggregate endpoint. */
async function choose(desk: Page, name: string): Promise<void> {
  await desk.getByTestId('compose-item').click()
  await desk.getByTestId('offer-entry').filter({ hasText: name }).click()
}

/** Answers the two questions of a booking. */
async function book(desk: Page): Promise<void> {
  const ask = desk.getByTestId('ask')
  await ask.getByLabel(/Departure/).fill('2027-05-01')
  await ask.getByLabel(/Nights/).fill('3')
  await desk.getByRole('button', { name: 'Send the answer' }).click()
  await expect(ask).toContainText('3 nights in Kyoto from 2027-05-01 cost 315 €.')
  await ask.getByLabel(/Book it/).selectOption('true')
  await desk.getByRole('button', { name: 'Send the answer' }).click()
  await expect(desk.getByTestId('composed')).toHaveAttribute('data-state', 'answered')
  await expect(desk.getByTestId('composed')).toContainText('Booked: 3 nights in Kyoto from 2027-05-01 for 315 €')
}

const editor = (desk: Page) => desk.getByRole('textbox', { name: 'params' })

test('the palette sends, cancels, sends again, edits and saves', async ({ desk }) => {
  const command = async (title: string) => {
    await desk.keyboard.press('Control+k')
    await desk.keyboard.type(title)
    await expect(desk.getByRole('option', { name: title }).first()).toBeVisible()
    await desk.keyboard.press('Enter')
  }
  const composed = desk.getByTestId('composed')
  await choose(desk, 'workbench__silent')
  await desk.getByRole('textbox', { name: /^key/ }).fill('palette')
  await command('Send the request')
  await expect(composed).toHaveAttribute('data-state', 'sending')
  await command('Cancel what was sent')
  await expect(composed).toHaveAttribute('data-state', 'cancelled')

  await desk.getByTestId('offer-entry').filter({ hasText: 'workbench__quick' }).click()
  await command('Edit what was sent')
  await expect(editor(desk)).toContainText('workbench__silent')
  await command('Send again what was sent')
  await expect(composed).toHaveAttribute('data-state', 'sending')
  await command('Cancel what was sent')
  await command('Save the request')
  await expect(desk.getByRole('form', { name: 'save the request' })).toBeVisible()
})

test('a trip is booked through forms, in three rounds that stand in the table', async ({ desk }) => {
  await choose(desk, 'booking__book_trip')
  await expect(desk.getByTestId('compose')).toContainText('1 required value missing')
  await desk.getByTestId('compose-send').click()
  await expect(desk.getByTestId('schema-form')).toContainText('is required')
  await expect(desk.getByTestId('problems')).toContainText('1 problem')
  await desk.getByRole('button', { name: 'go to the first' }).click()
  await expect(desk.getByLabel(/^city/)).toBeFocused()
  await desk.getByLabel(/^city/).fill('Kyoto')
  await expect(desk.getByTestId('problems')).toBeHidden()
  await expect(editor(desk)).toContainText('"city": "Kyoto"')
  await desk.getByTestId('compose-send').click()
  await book(desk)

  await expect(desk.getByTestId('composed-round')).toHaveCount(3)
  await desk.getByTestId('composed-round').last().click()
  await expect(desk.getByTestId('detail').last()).toContainText('sluice compose')
  await desk.getByTestId('tab-rounds').click()
  await expect(desk.getByTestId('round-card')).toHaveCount(3)
})

test('an answer is shown as it is meant to be seen, too', async ({ desk }) => {
  await choose(desk, 'workbench__gallery')
  await desk.getByTestId('compose-send').click()
  const composed = desk.getByTestId('composed')
  await expect(composed).toHaveAttribute('data-state', 'answered')
  await composed.getByRole('radio', { name: 'content' }).click()
  await expect(composed.getByTestId('content-block')).toHaveCount(7)
  await expect(composed.getByRole('img')).toHaveCount(1)
  await composed.getByRole('radio', { name: 'raw' }).click()
  await expect(composed).toContainText('"type":"hologram"')
})

test('a legacy client is asked in the middle of its call', async ({ desk }) => {
  await choose(desk, 'booking__book_trip')
  await desk.getByRole('radio', { name: 'legacy' }).click()
  await desk.getByLabel(/^city/).fill('Kyoto')
  await desk.getByTestId('compose-send').click()
  await book(desk)
  await expect(desk.getByTestId('composed-round')).toHaveCount(1)
})

test('the form and the JSON are one text, and its mistakes are marked', async ({ desk }) => {
  await choose(desk, 'workbench__stepwise')
  await editor(desk).fill('{"name": "workbench__stepwise", "arguments": {"key": "a", "steps": "many"}}')
  await expect(desk.getByRole('textbox', { name: /^key/ })).toHaveValue('a')
  await expect(desk.locator('[data-pointer="/steps"]')).toContainText('should be integer, not string')
  await editor(desk).fill('{"name": ')
  await expect(desk.getByTestId('compose')).toContainText('This is no JSON')
  await desk.getByTestId('compose-send').click()
  await expect(desk.getByRole('alert').filter({ hasText: 'params' })).toBeVisible()
  await expect(desk.getByTestId('composed')).toHaveCount(0)
})

test('what is wrong in the JSON is gone to, one after the other, by a press and by a key', async ({ desk }) => {
  await choose(desk, 'workbench__stepwise')
  await desk.getByRole('radio', { name: 'JSON', exact: true }).click()
  await editor(desk).fill('{"name": "workbench__stepwise",\n"arguments": {"key": 7,\n"steps": "many"}}')
  const told = desk
    .getByTestId('compose')
    .getByRole('status')
    .filter({ hasText: /line \d/ })
  await expect(told).toContainText('line 2')
  await expect(told).toContainText('1 more')
  await told.getByRole('button').press('Enter')
  await expect(editor(desk)).toBeFocused()
  await desk.keyboard.type('"k"')
  await expect(told).toContainText('line 3')
  await expect(editor(desk)).toContainText('"key": "k"')
  await desk.keyboard.press('F8')
  await desk.keyboard.type('3')
  await expect(editor(desk)).toContainText('"steps": 3')
  await expect(told).toHaveCount(0)

  await editor(desk).fill('{"name": "workbench__stepwise",\n"arguments" {}}')
  await expect(told).toContainText('line 2: This is no JSON')
  await told.getByRole('button', { name: 'go there' }).press('Enter')
  await desk.keyboard.type(': {')
  await expect(told).toHaveCount(0)
})

test('a call under way is cancelled', async ({ desk }) => {
  await choose(desk, 'workbench__silent')
  await desk.getByRole('textbox', { name: /^key/ }).fill('a')
  await desk.getByTestId('compose-send').click()
  await expect(desk.getByTestId('composed')).toHaveAttribute('data-state', 'sending')
  await desk.getByTestId('composed').getByRole('button', { name: 'Cancel' }).click()
  await expect(desk.getByTestId('composed')).toHaveAttribute('data-state', 'cancelled')
})

test('a call of the table is sent again only after a look, where it may change something', async ({ desk, client }) => {
  await client.callTool({ name: 'workbench__quick', arguments: { key: 'again' } })
  await rowOf(desk, 'workbench__quick').click()
  await desk.keyboard.press('r')
  await expect(desk.getByTestId('compose')).toContainText('Not sent yet')
  await expect(editor(desk)).toContainText('"again"')
  await desk.getByTestId('compose-send').click()
  await expect(desk.getByTestId('composed')).toContainText('quick again')

  await client.listTools(undefined, { cacheMode: 'refresh' })
  await desk.getByRole('button', { name: /this run/ }).click()
  await rowOf(desk, 'tools/list').click()
  await desk.keyboard.press('r')
  await expect(desk.getByTestId('composed')).toContainText('inputSchema')
})

test('questions are answered by rule once one was kept', async ({ desk }) => {
  await choose(desk, 'booking__book_trip')
  await desk.getByLabel(/^city/).fill('Kyoto')
  await desk.getByTestId('compose-send').click()
  const ask = desk.getByTestId('ask')
  await ask.getByLabel(/Departure/).fill('2027-05-01')
  await ask.getByLabel(/Nights/).fill('3')
  await ask.getByLabel(/from now on/).check()
  await desk.getByRole('button', { name: 'Send the answer' }).click()
  await expect(ask).toContainText('315 €')
  await desk.getByRole('button', { name: 'Do not go on' }).click()
  await expect(desk.getByTestId('composed')).toHaveAttribute('data-state', 'cancelled')

  await desk.getByTestId('compose-send').click()
  await expect(ask).toContainText('315 €')
  await expect(desk.getByTestId('composed-round')).toHaveCount(2)
  await desk.getByRole('button', { name: 'Do not go on' }).click()

  await desk.getByRole('button', { name: 'settings of the request' }).click()
  await desk.getByRole('button', { name: /^edit the answer to/ }).click()
  const answer = desk.getByRole('textbox', { name: /^answer to/ })
  await answer.fill('{ "action": "accept", "content": { "depart": "2027-05-01", "nights": 2 } }')
  await desk.getByRole('button', { name: 'Keep this answer' }).click()
  await expect(desk.getByTestId('answer-rule')).toContainText('"nights":2')
  await desk.getByTestId('compose-send').click()
  await expect(ask).toContainText('2 nights in Kyoto')
})

test('a request is saved, and is there when the page is loaded again', async ({ desk }) => {
  await choose(desk, 'booking__book_trip')
  await desk.getByLabel(/^city/).fill('Kyoto')
  await desk.getByRole('button', { name: 'save the request' }).click()
  await desk.getByLabel('Name', { exact: true }).fill('Trip to Kyoto')
  await desk.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(desk.getByTestId('saved-request')).toHaveText('Trip to Kyoto')

  await desk.reload()
  await expect(editor(desk)).toContainText('"Kyoto"')
  await desk.getByTestId('offer-entry').filter({ hasText: 'workbench__quick' }).click()
  await desk.getByRole('radio', { name: 'saved' }).click()
  await desk.getByTestId('saved-request').click()
  await expect(editor(desk)).toContainText('"Kyoto"')
})

test('compose has no accessibility violations', async ({ desk }) => {
  await choose(desk, 'booking__book_trip')
  await desk.getByLabel(/^city/).fill('Kyoto')
  await desk.getByRole('button', { name: 'settings of the request' }).click()
  await desk.getByTestId('compose-send').click()
  await expect(desk.getByTestId('ask')).toBeVisible()
  for (const theme of ['light', 'dark']) {
    await desk.evaluate((name) => (document.documentElement.dataset.theme = name), theme)
    // Electron's page cannot open the blank one that axe would finish in.
    const { violations } = await new AxeBuilder({ page: desk }).setLegacyMode(true).analyze()
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`)).toEqual([])
  }
})

test.describe('a demo prompt', () => {
  test.use({ demo: true })

  test('is completed by its server while it is typed', async ({ desk }) => {
    await choose(desk, 'weather__packing-list')
    const city = desk.getByTestId('schema-form').getByRole('combobox').or(desk.getByLabel(/^city/)).first()
    await city.fill('Os')
    await expect(desk.getByTestId('suggestions').locator('option')).toHaveCount(2)
    await expect(desk.getByTestId('suggestions').locator('option').first()).toHaveAttribute('value', 'Oslo')
    await city.fill('Tro')
    await expect(desk.getByTestId('suggestions').locator('option')).toHaveCount(1)
  })
})
