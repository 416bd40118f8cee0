import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { expect, rowOf, test } from './desk'

const RULE = 'sse-id'
const rule = (desk: Page) => desk.locator(`[data-testid="rule"][data-rule="${RULE}"]`)
const serious = async (desk: Page) => {
  const { violations } = await new AxeBuilder({ page: desk }).setLegacyMode().analyze()
  return violations.filter(({ impact }) => impact === 'serious' || impact === 'critical').map(({ id }) => id)
}

test('one page lists all rules, with what they found and where to look', async ({ desk, client }) => {
  await client.callTool({ name: 'faults__stray_ids' })
  await client.callTool({ name: 'workbench__quick', arguments: { key: 'a' } })
  await expect(rowOf(desk, 'faults__stray_ids')).toContainText('JSON 200')
  await desk.getByTestId('findings-item').click()
  await expect(rule(desk)).toContainText('1 finding')
  expect(await desk.getByTestId('rule').count()).toBeGreaterThan(30)
  await desk.getByRole('radio', { name: /^found/ }).click()
  await expect(rule(desk)).toBeVisible()
  expect(await desk.getByTestId('rule').count()).toBeLessThan(10)

  await rule(desk).getByRole('button', { expanded: false }).click()
  await expect(rule(desk)).toContainText('faults__stray_ids of faults: 1 finding in 1 call')
  for (const theme of ['light', 'dark'] as const) {
    await desk.emulateMedia({ colorScheme: theme })
    expect(await serious(desk)).toEqual([])
  }

  await rule(desk)
    .getByRole('button', { name: /^faults__stray_ids of faults/ })
    .click()
  await expect(desk.getByTestId('call-row')).toHaveCount(1)
  await expect(desk.getByTestId('tab-findings')).toHaveAttribute('aria-selected', 'true')
  await desk.getByRole('button', { name: 'Show frame' }).first().click()
  await expect(desk.getByTestId('tab-stream')).toHaveAttribute('aria-selected', 'true')
  await expect(desk.locator('[data-testid="frame-row"][aria-selected="true"]')).toHaveCount(1)
})

test('findings are hidden for a tool, a backend and everywhere, and shown again', async ({ desk, client }) => {
  for (let time = 0; time < 2; time++) await client.callTool({ name: 'faults__stray_ids' })
  await expect(desk.getByTestId('call-row').filter({ hasText: 'faults__stray_ids' })).toHaveCount(2)
  await desk.getByTestId('findings-item').click()
  await expect(rule(desk)).toContainText('2 findings')
  await rule(desk).getByRole('button', { expanded: false }).click()
  await rule(desk).getByRole('button', { name: 'Hide for faults__stray_ids' }).click()
  await expect(rule(desk)).toContainText('2 findings hidden by your choice')

  await desk.reload()
  await desk.getByTestId('findings-item').click()
  await desk.getByRole('radio', { name: 'hidden 1' }).click()
  await expect(desk.getByTestId('findings-pane')).toContainText(`${RULE} for faults__stray_ids of faults`)
  await desk.getByRole('button', { name: 'Show again' }).click()
  await expect(desk.getByTestId('findings-pane')).toContainText('No finding is hidden.')

  // From the call itself, and what is hidden there is counted and can be looked at.
  await desk.getByTestId('live-item').click()
  await rowOf(desk, 'faults__stray_ids').click()
  await desk.getByTestId('tab-findings').click()
  const found = desk.getByTestId('detail').last()
  await found.locator('li', { hasText: RULE }).getByTestId('finding-why').click()
  await found.getByRole('button', { name: 'Hide for all of faults' }).first().click()
  await expect(found.getByTestId('findings-hidden')).toContainText('1 finding of this call is hidden')
  await expect(found.locator('li', { hasText: RULE })).toHaveCount(0)
  await found.getByRole('button', { name: 'Show', exact: true }).click()
  await expect(found.locator('li', { hasText: RULE })).toHaveCount(1)
})
