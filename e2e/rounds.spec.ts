import { expect, rowOf, test } from './desk'

test('three rounds of one operation, with both layers of its state', async ({ desk, client }) => {
  const result = await client.callTool({ name: 'booking__book_trip', arguments: { city: 'Kyoto' } })
  expect(result).toMatchObject({ content: [{ text: 'Booked: 3 nights in Kyoto from 2027-05-01 for 315 €' }] })

  await expect(desk.getByTestId('call-row').filter({ hasText: 'booking__book_trip' })).toHaveCount(3)
  await rowOf(desk, 'booking__book_trip').click()
  await desk.getByTestId('tab-rounds').click()
  const cards = desk.getByTestId('round-card')
  await expect(cards).toHaveCount(3)
  await expect(cards.nth(0)).toContainText('When do you want to go to Kyoto?')
  await expect(cards.nth(1)).toContainText('3 nights in Kyoto from 2027-05-01 cost 315 €.')

  const second = cards.nth(1)
  await expect(second.getByTestId('state-outer').first()).toBeVisible()
  await expect(second).not.toContainText('"price"')
  for (const reveal of await second.getByRole('button', { name: /reveal|show/i }).all()) await reveal.click()
  await expect(second.getByTestId('state-outer').first()).toContainText('booking')
  await expect(second.getByTestId('state-inner').first()).toContainText('v1.')
  await expect(second.getByTestId('state-inner').first()).toContainText(/not verified/i)
  await expect(second.getByTestId('state-inner').first()).toContainText('price')
})
