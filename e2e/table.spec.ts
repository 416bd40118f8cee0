import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { expect, rowOf, test } from './desk'

const quick = (key: string) => ({ name: 'workbench__quick', arguments: { key } })

test('the filter narrows the table, and says when it cannot be read', async ({ desk, client }) => {
  await client.listTools()
  await client.callTool(quick('a'))
  await client.callTool({ name: 'faults__tool_error' })
  await expect(desk.getByTestId('call-row')).not.toHaveCount(0)

  const filter = desk.getByTestId('filter-input')
  await filter.fill('tool:workbench__quick')
  await expect(desk.getByTestId('call-row')).toHaveCount(1)
  await filter.fill('outcome:tool-error')
  await expect(desk.getByTestId('call-row')).toHaveCount(1)
  await expect(desk.getByTestId('call-row')).toContainText('faults__tool_error')
  await filter.fill('tool:nobody')
  // Nothing lies over what is said then.
  await desk.getByText(/^None of \d+ calls match/).click({ trial: true })
  // What is being typed and lacks the rest is not wrong until it is left.
  const said = desk.getByText('backend: needs a value')
  await filter.fill('backend:')
  await expect(said).toBeVisible()
  await expect(desk.getByRole('option', { name: 'workbench' })).toBeVisible()
  await expect(filter).toHaveAttribute('aria-invalid', 'false')
  await desk.keyboard.press('Escape')
  await expect(filter).toHaveAttribute('aria-invalid', 'true')
  await expect(said).toBeVisible()
  await filter.focus()
  await expect(filter).toHaveAttribute('aria-invalid', 'false')
  await filter.fill('dur:>ms')
  await expect(filter).toHaveAttribute('aria-invalid', 'true')
  await filter.fill('')
  await expect.poll(() => desk.getByTestId('call-row').count()).toBeGreaterThanOrEqual(3)
})

test('a call that is opened stays where it is; the newest is followed again once it is in sight', async ({
  desk,
  client,
}) => {
  for (let at = 0; at < 40; at++) await client.callTool(quick(`${at}`))
  const grid = desk.getByRole('grid')
  const pill = desk.getByTestId('new-pill')
  const newest = async () => Number(await desk.getByTestId('live-item').locator('small').innerText())
  const row = (call: number) => desk.locator(`#call-row-${call}`)
  const top = async (call: number) => Math.round((await row(call).boundingBox())?.y ?? -1)
  await expect(async () => {
    await expect(row(await newest())).toBeInViewport({ timeout: 1_000 })
  }).toPass()
  await expect(pill).toBeHidden()

  // The uppermost row that is wholly in sight, but one.
  const chosen = await grid.evaluate((element) => {
    const least = (element.querySelector('[role="rowgroup"]')?.getBoundingClientRect().bottom ?? 0) + 28
    const rows = [...element.querySelectorAll('[data-testid="call-row"]')]
    const places = rows.map((each) => ({
      call: Number(each.getAttribute('data-call')),
      y: each.getBoundingClientRect().y,
    }))
    return places.filter(({ y }) => y >= least).sort((a, b) => a.y - b.y)[0]?.call ?? 0
  })
  const before = await top(chosen)
  await row(chosen).click()
  await expect(desk.getByTestId('tab-stream')).toBeVisible()
  await expect(pill).toHaveText('follow paused')
  expect(await top(chosen)).toBe(before)
  // What comes then does not move it either, and is counted.
  await client.callTool(quick('more'))
  await expect(pill).toHaveText('1 new')
  expect(await top(chosen)).toBe(before)

  await pill.click()
  await expect(pill).toBeHidden()
  await expect(row(await newest())).toBeInViewport()
  await desk.keyboard.press('Escape')
  await expect(desk.getByTestId('tab-stream')).toBeHidden()

  // By the keyboard the newest is opened, which goes on being followed.
  await desk.keyboard.press('k')
  await expect(desk.getByTestId('tab-stream')).toBeVisible()
  await expect(row(await newest())).toHaveAttribute('aria-selected', 'true')
  const last = await newest()
  await client.callTool(quick('still more'))
  await expect(row(last + 1)).toBeInViewport()
  await expect(pill).toBeHidden()
})

test('rows of a table that is scrolled sideways are as wide as its columns', async ({ desk, client }) => {
  await client.callTool(quick('a'))
  await rowOf(desk, 'workbench__quick').click()
  await desk.getByRole('button', { name: 'put detail to the right' }).click()
  const overhang = () =>
    desk.getByRole('grid').evaluate((grid) => {
      grid.scrollLeft = grid.scrollWidth
      const slots = [...grid.querySelectorAll('[data-testid="call-row"]')].map((row) => row.parentElement ?? row)
      const right = grid.getBoundingClientRect().left + grid.clientWidth
      return {
        scrolled: grid.scrollLeft > 0,
        blank: slots.map((slot) => right - slot.getBoundingClientRect().right).filter((pixels) => pixels > 1),
      }
    })
  await expect.poll(overhang).toEqual({ scrolled: true, blank: [] })
  await desk.getByRole('button', { name: 'put detail below' }).click()
})

test('everything is reached by keyboard', async ({ desk, client, workbench }) => {
  for (const key of ['a', 'b', 'c']) await client.callTool(quick(key))
  const call = client.callTool(
    { name: 'workbench__stepwise', arguments: { key: 's' } },
    { onprogress: () => undefined },
  )
  for (let step = 0; step < 3; step++) workbench.step('s')
  await call
  await expect(rowOf(desk, 'workbench__stepwise')).toBeVisible()
  const selected = () => desk.locator('[data-testid="call-row"][aria-selected="true"]').getAttribute('data-call')

  await rowOf(desk, 'workbench__stepwise').click()
  const last = Number(await selected())
  await desk.keyboard.press('k')
  await expect.poll(selected).not.toBe(String(last))
  await desk.keyboard.press('j')
  await expect.poll(selected).toBe(String(last))

  await desk.keyboard.press('3')
  await expect(desk.getByTestId('tab-request')).toHaveAttribute('aria-selected', 'true')
  await desk.keyboard.press('1')
  await expect(desk.getByTestId('tab-stream')).toHaveAttribute('aria-selected', 'true')
  const frame = () => desk.locator('[data-testid="frame-row"][aria-selected="true"]').count()
  await desk.keyboard.press(']')
  await expect.poll(frame).toBe(1)

  await desk.keyboard.press('/')
  await expect(desk.getByTestId('filter-input')).toBeFocused()
  await desk.keyboard.type('tool:workbench__quick')
  await expect(desk.getByTestId('call-row')).toHaveCount(3)
})

test('a reload of the window loses nothing', async ({ desk, client, workbench }) => {
  await client.callTool(quick('a'))
  const running = client.callTool(
    { name: 'workbench__stepwise', arguments: { key: 's' } },
    { onprogress: () => undefined },
  )
  await expect(rowOf(desk, 'workbench__stepwise')).toBeVisible()
  const numbers = () =>
    desk.getByTestId('call-row').evaluateAll((rows) => rows.map((row) => row.getAttribute('data-call')))
  const before = await numbers()

  await desk.reload()
  await expect.poll(numbers).toEqual(before)
  await rowOf(desk, 'workbench__stepwise').click()
  await expect(desk.getByTestId('frame-row').filter({ hasText: 'step 1' }).first()).toBeVisible()

  workbench.step('s')
  await expect(desk.getByTestId('frame-row').filter({ hasText: 'step 2' }).first()).toBeVisible()
  workbench.step('s')
  workbench.step('s')
  await running
  await expect(desk.getByTestId('end-mark').first()).toBeVisible()
})

test('both themes are designed, and neither has an accessibility fault that matters', async ({ desk, client }) => {
  test.slow()
  await client.callTool({ name: 'booking__book_trip', arguments: { city: 'Kyoto' } })
  await rowOf(desk, 'booking__book_trip').click()
  const theme = () => desk.evaluate(() => getComputedStyle(document.body).backgroundColor)

  const first = await theme()
  expect(await seriousFaults(desk)).toEqual([])
  await desk.getByTestId('tab-rounds').click()
  expect(await seriousFaults(desk)).toEqual([])

  await switchTheme(desk)
  expect(await theme()).not.toBe(first)
  expect(await seriousFaults(desk)).toEqual([])
  await desk.getByTestId('tab-stream').click()
  expect(await seriousFaults(desk)).toEqual([])
})

/** The toggle goes through system, light and dark; the background says when it has changed. */
async function switchTheme(desk: Page): Promise<void> {
  const background = () => desk.evaluate(() => getComputedStyle(document.body).backgroundColor)
  const before = await background()
  for (let press = 0; press < 3 && (await background()) === before; press++)
    await desk.getByTestId('theme-toggle').click()
}

async function seriousFaults(desk: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page: desk }).setLegacyMode().analyze()
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`)
}
