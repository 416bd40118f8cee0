import { expect, test } from './desk'

test.use({ demo: true })

test('the demo shows life at once, and can be stopped and started', async ({ desk }) => {
  await expect(desk.getByTestId('backend-item')).toHaveCount(4)
  await expect.poll(() => desk.getByTestId('call-row').count()).toBeGreaterThanOrEqual(4)
  await expect(desk.getByTestId('call-row').filter({ hasText: 'weather__forecast' }).first()).toBeVisible()

  const toggle = desk.getByTestId('demo-toggle')
  await toggle.click()
  await expect(toggle).toContainText(/start/i)
  const stopped = await desk.getByTestId('call-row').count()
  await toggle.click()
  await expect.poll(() => desk.getByTestId('call-row').count()).toBeGreaterThan(stopped)
})
