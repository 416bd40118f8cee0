import type { ElectronApplication } from '@playwright/test'
import { expect, rowOf, test } from '../desk'

/** Chooses an item as a click in the menu does. */
const choose = (app: ElectronApplication, id: string) =>
  app.evaluate(({ Menu }, item) => Menu.getApplicationMenu()?.getMenuItemById(item)?.click(), id)
const enabled = (app: ElectronApplication, ids: readonly string[]) =>
  app.evaluate(
    ({ Menu }, items) => items.filter((id) => Menu.getApplicationMenu()?.getMenuItemById(id)?.enabled === true),
    ids,
  )

test('the menu does what the desk can do, and disables the rest', async ({ desk, electronApp, client }) => {
  const ofCalls = ['calls.export', 'calls.replay']
  const ofOne = ['call.resend', 'call.edit', 'call.mark', 'call.close']
  const anywhere = ['captures.open', 'go.settings', 'go.compose', 'palette.open', 'tour.start', 'keys.show']
  await expect.poll(() => enabled(electronApp, [...anywhere, ...ofOne])).toEqual(anywhere)

  await client.callTool({ name: 'workbench__quick', arguments: { key: 'a' } })
  await expect.poll(() => enabled(electronApp, ofCalls)).toEqual(ofCalls)
  expect(await enabled(electronApp, ofOne)).toEqual([])
  await rowOf(desk, 'workbench__quick').click()
  await expect.poll(() => enabled(electronApp, ofOne)).toEqual(ofOne)
  await choose(electronApp, 'call.close')
  await expect(desk.getByTestId('detail')).toBeHidden()
  await expect.poll(() => enabled(electronApp, ofOne)).toEqual([])

  const ofBackends = ['backends.edit', 'backends.turn', 'backends.remove']
  expect(await enabled(electronApp, ['backends.add', ...ofBackends])).toEqual(['backends.add'])
  await desk.locator('[data-testid=backend-item][data-backend=workbench]').click()
  await expect.poll(() => enabled(electronApp, ofBackends)).toEqual(ofBackends)
  await choose(electronApp, 'backends.edit')
  await expect(desk.getByTestId('edit-backend')).toBeVisible()
  // What is typed there is not to be lost to another dialog.
  await expect.poll(() => enabled(electronApp, ofBackends)).toEqual([])
  await desk.keyboard.press('Escape')
  await expect.poll(() => enabled(electronApp, ofBackends)).toEqual(ofBackends)
  await choose(electronApp, 'backends.remove')
  await expect(desk.getByRole('dialog', { name: 'Remove workbench?' })).toBeVisible()
  await desk.keyboard.press('Escape')
  await expect.poll(() => enabled(electronApp, ofBackends)).toEqual(ofBackends)
  await choose(electronApp, 'backends.turn')
  await expect(desk.getByTestId('off-backend')).toBeVisible()
  await expect.poll(() => enabled(electronApp, ofBackends)).toEqual(ofBackends)

  await choose(electronApp, 'go.settings')
  await expect(desk.getByTestId('settings-view')).toBeVisible()
  await choose(electronApp, 'go.compose')
  await expect(desk.getByTestId('compose-send')).toBeVisible()
  await expect.poll(() => enabled(electronApp, ['compose.save'])).toEqual(['compose.save'])
  await choose(electronApp, 'go.calls')
  await expect.poll(() => enabled(electronApp, ['compose.save'])).toEqual([])
  await choose(electronApp, 'calls.groupBackend')
  await expect(desk.getByTestId('group-row').first()).toBeVisible()
  await choose(electronApp, 'calls.export')
  await expect(desk.getByRole('dialog', { name: /export/i })).toBeVisible()
  await desk.keyboard.press('Escape')
  await choose(electronApp, 'palette.open')
  await expect(desk.getByTestId('palette')).toBeVisible()
  await desk.keyboard.press('Escape')
  await choose(electronApp, 'tour.start')
  await expect(desk.getByTestId('tour')).toBeVisible()
})
