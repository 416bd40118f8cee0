import { expect, rowOf, test } from './desk'
import { startWorkbench } from './workbench'

test('a backend is added in the desk, and can be called at once', async ({ desk, client }) => {
  const late = await startWorkbench()
  try {
    await expect(desk.getByTestId('backend-item')).toHaveCount(3)
    await desk.getByRole('button', { name: /^add/i }).first().click()
    await desk.getByLabel(/^Name/).fill('late')
    await desk.getByLabel(/^URL/).fill(late.url)
    await desk.getByRole('button', { name: 'Add backend' }).click()

    const item = desk.getByTestId('backend-item').filter({ hasText: 'late' })
    await expect(item).toBeVisible()
    await expect(item).toContainText('modern')
    const answer = await client.callTool({ name: 'late__quick', arguments: { key: 'x' } })
    expect(answer.content).toEqual([{ type: 'text', text: 'quick x' }])
    await expect(rowOf(desk, 'late__quick')).toBeVisible()
  } finally {
    await late.close()
  }
})
