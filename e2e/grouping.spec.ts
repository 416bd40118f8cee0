import { expect, rowOf, test } from './desk'

const quick = (key: string) => ({ name: 'workbench__quick', arguments: { key } })

test('the table is grouped in place, by mouse and by keyboard, while calls come', async ({ desk, client }) => {
  await client.callTool(quick('a'))
  await client.callTool({ name: 'faults__tool_error' })
  await expect(rowOf(desk, 'faults__tool_error')).toBeVisible()

  await desk.getByRole('button', { name: /grouping/ }).click()
  await desk.getByRole('menuitemradio', { name: 'backend' }).click()
  await desk.keyboard.press('Escape')
  const group = (name: string) => desk.getByTestId('group-row').filter({ hasText: new RegExp(`^${name}(?!,)`) })
  await expect(group('workbench')).toContainText('1 call')
  await expect(group('faults')).toContainText('1 error')
  await expect(group('workbench')).toContainText(/p50 \d/)

  await client.callTool(quick('b'))
  await expect(group('workbench')).toContainText('2 calls')
  const calls = () => desk.getByTestId('call-row').filter({ hasText: 'workbench__quick' })
  await expect(calls()).toHaveCount(2)
  await group('workbench').click()
  await expect(calls()).toHaveCount(0)
  await client.callTool(quick('c'))
  await expect(group('workbench')).toContainText('3 calls')
  await expect(calls()).toHaveCount(0)

  await desk.getByRole('treegrid').focus()
  await expect(group('workbench')).toHaveAttribute('data-current')
  await desk.keyboard.press('ArrowRight')
  await expect(calls()).toHaveCount(3)
  await desk.keyboard.press('ArrowRight')
  await expect(calls().first()).toHaveAttribute('aria-selected', 'true')
  await desk.keyboard.press('ArrowLeft')
  await desk.keyboard.press('ArrowLeft')
  await expect(calls()).toHaveCount(0)

  await desk.getByTestId('filter-input').fill('tool:workbench__quick')
  await expect(desk.getByTestId('group-row')).toHaveCount(1)
})

test('the palette groups, and the choice outlives a reload', async ({ desk, client }) => {
  await client.callTool({ name: 'booking__book_trip', arguments: { city: 'Kyoto' } })
  await expect(rowOf(desk, 'booking__book_trip', '③/3')).toBeVisible()
  const run = async (command: string) => {
    await desk.keyboard.press('ControlOrMeta+k')
    await desk.keyboard.type(command)
    await desk.keyboard.press('Enter')
  }
  await run('group by operation')
  // One row for three rounds; what has one round has no group.
  await expect(desk.getByTestId('group-row')).toHaveCount(1)
  await expect(desk.getByTestId('group-row')).toContainText('3 rounds')
  await run('collapse all')
  await expect(rowOf(desk, 'booking__book_trip')).toHaveCount(0)
  await desk.reload()
  await expect(desk.getByTestId('group-row')).toContainText('3 rounds')
  await expect(rowOf(desk, '③/3')).toBeVisible()
  await run('do not group')
  await expect(desk.getByTestId('group-row')).toHaveCount(0)
})

test('a table with groups follows the newest call, and the head of a group stays above its calls', async ({
  desk,
  client,
}) => {
  await desk.setViewportSize({ width: 1200, height: 500 })
  for (let at = 0; at < 24; at++) await client.callTool(quick(`${at}`))
  await expect(rowOf(desk, 'workbench__quick')).toBeVisible()
  await desk.keyboard.press('ControlOrMeta+k')
  await desk.keyboard.type('group by tool')
  await desk.keyboard.press('Enter')
  const row = (call: number) => desk.locator(`#call-row-${call}`)
  const newest = async () => Number(await desk.getByTestId('live-item').locator('small').innerText())
  await expect(async () => {
    await expect(row(await newest())).toBeInViewport({ timeout: 1_000 })
  }).toPass()
  const above = desk.getByTestId('group-above')
  await expect(above).toContainText('quick')

  await client.callTool({ name: 'faults__tool_error' })
  await expect(rowOf(desk, 'faults__tool_error')).toBeInViewport()
  const before = await newest()
  await client.callTool(quick('more'))
  await expect.poll(newest).toBe(before + 1)
  await expect(row(before + 1)).toHaveCount(1)
  await expect(row(await newest())).toBeInViewport()

  // Who reads elsewhere is not moved, and told how many came.
  const grid = desk.getByRole('treegrid')
  await grid.evaluate((element) => element.scrollTo({ top: 0 }))
  await expect(above).toBeHidden()
  await client.callTool({ name: 'faults__tool_error' })
  await client.callTool({ name: 'faults__tool_error' })
  await expect(desk.getByTestId('new-pill')).toContainText('2 new')
  expect(await grid.evaluate((element) => element.scrollTop)).toBe(0)
  await desk.getByTestId('new-pill').click()
  await expect(rowOf(desk, 'faults__tool_error')).toBeInViewport()
  await expect(desk.getByTestId('new-pill')).toBeHidden()

  // The head above the calls folds their group, and stays in sight.
  await grid.evaluate((element) => element.scrollTo({ top: 300 }))
  await above.click()
  await expect(desk.getByTestId('group-row').filter({ hasText: 'quick' })).toBeInViewport()
  await expect(desk.getByTestId('call-row').filter({ hasText: 'workbench__quick' })).toHaveCount(0)
})
