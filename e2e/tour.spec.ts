import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { expect, rowOf, test } from './desk'

test.use({ tour: true })

const tour = (desk: Page) => desk.getByTestId('tour')
const offer = (desk: Page) => desk.getByTestId('tour-offer')

test('the tour points at the parts of the desk, by keyboard alone, and is not offered again', async ({
  desk,
  client,
}) => {
  await client.callTool({ name: 'booking__book_trip', arguments: { city: 'Kyoto' } })
  await expect(rowOf(desk, 'booking__book_trip', '③/3')).toBeVisible()
  await offer(desk).getByRole('button', { name: 'Take the tour' }).press('Enter')
  await expect(offer(desk)).toBeHidden()
  await expect(tour(desk)).toContainText('1 of 7')
  await expect(desk.getByRole('button', { name: 'Next' })).toBeFocused()
  await expect(tour(desk)).toHaveAccessibleDescription(/Point your client here/)
  await expect.poll(() => surrounds(desk, desk.getByTestId('endpoint').first())).toBe(true)

  await desk.keyboard.press('Enter')
  await expect(tour(desk)).toContainText('Every call')
  await expect.poll(() => surrounds(desk, desk.getByTestId('calls-table'))).toBe(true)
  await desk.keyboard.press('ArrowRight')
  await desk.keyboard.press('ArrowRight')
  await expect(tour(desk)).toContainText('Rounds')
  // The newest operation with rounds is open there.
  await expect(desk.getByTestId('round-card')).toHaveCount(3)
  await expect.poll(() => surrounds(desk, desk.getByTestId('detail').last())).toBe(true)
  await desk.keyboard.press('ArrowLeft')
  await expect(tour(desk)).toContainText('Stream')
  const { violations } = await new AxeBuilder({ page: desk }).setLegacyMode().analyze()
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`)).toEqual(
    [],
  )
  for (let step = 0; step < 4; step++) await desk.keyboard.press('ArrowRight')
  await expect(tour(desk)).toContainText('7 of 7')
  await expect.poll(() => surrounds(desk, desk.getByTestId('findings-item'))).toBe(true)
  await desk.keyboard.press('Enter')
  await expect(tour(desk)).toBeHidden()

  await desk.reload()
  await expect(rowOf(desk, 'booking__book_trip', '③/3')).toBeVisible()
  await expect(offer(desk)).toBeHidden()
})

test('the offer can be declined, Esc ends the tour, and the palette begins it', async ({ desk, client }) => {
  await offer(desk).getByRole('button', { name: 'No, thanks' }).click()
  await expect(offer(desk)).toBeHidden()
  // Without a call to open, the steps point at what will show it.
  await desk.keyboard.press('ControlOrMeta+k')
  await desk.keyboard.type('take the tour')
  await desk.keyboard.press('Enter')
  for (let step = 0; step < 2; step++) await desk.keyboard.press('ArrowRight')
  await expect(tour(desk)).toContainText('Stream')
  await expect.poll(() => surrounds(desk, desk.getByTestId('calls-table'))).toBe(true)

  // The desk is used meanwhile; Esc ends the tour first.
  await client.callTool({ name: 'workbench__quick', arguments: { key: 'a' } })
  await rowOf(desk, 'workbench__quick').click()
  await expect(desk.getByTestId('detail').last()).toBeVisible()
  await desk.keyboard.press('Escape')
  await expect(tour(desk)).toBeHidden()
  await expect(desk.getByTestId('detail').last()).toBeVisible()
  await desk.reload()
  await expect(rowOf(desk, 'workbench__quick')).toBeVisible()
  await expect(offer(desk)).toBeHidden()
})

test('in a small window the card stays in sight', async ({ desk }) => {
  await desk.setViewportSize({ width: 720, height: 450 })
  await offer(desk).getByRole('button', { name: 'Take the tour' }).click()
  for (let step = 1; step <= 7; step++) {
    await expect(tour(desk)).toContainText(`${step} of 7`)
    const box = await tour(desk).boundingBox()
    expect(box !== null && box.x >= 0 && box.y >= 0 && box.x + box.width <= 720 && box.y + box.height <= 450).toBe(true)
    await desk.keyboard.press('ArrowRight')
  }
})

/** Whether the ring is around an element. */
async function surrounds(desk: Page, element: ReturnType<Page['locator']>): Promise<boolean> {
  const [ring, box] = [await desk.getByTestId('tour-ring').boundingBox(), await element.boundingBox()]
  if (ring === null || box === null) return false
  return Math.abs(ring.x - box.x) < 2 && Math.abs(ring.y - box.y) < 2 && Math.abs(ring.width - box.width) < 3
}
