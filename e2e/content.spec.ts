import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { expect, rowOf, test } from './desk'

const serious = async (desk: Page) => {
  const { violations } = await new AxeBuilder({ page: desk }).setLegacyMode().analyze()
  return violations.filter(({ impact }) => impact === 'serious' || impact === 'critical').map(({ id }) => id)
}
const openResponse = async (desk: Page, tool: string) => {
  await rowOf(desk, tool).click()
  await desk.getByTestId('tab-response').click()
}

test('content is shown as it is meant to be, and none of it runs or leads anywhere', async ({ desk, client }) => {
  await client.callTool({ name: 'workbench__gallery' }).catch(() => 'the client refuses the last block')
  await openResponse(desk, 'workbench__gallery')
  await desk.getByRole('radio', { name: 'content' }).click()
  const block = (at: number) => desk.getByTestId('content-block').nth(at)
  await expect(desk.getByTestId('content-block')).toHaveCount(7)

  await expect(block(0)).toContainText('<script>alert(2)</script>')
  await expect(block(0)).toContainText('U+202E')
  await block(0).getByRole('radio', { name: 'markdown' }).click()
  await expect(block(0).getByRole('heading', { name: 'Heading' })).toBeVisible()
  await expect(block(0).getByRole('link')).toHaveCount(0)

  // Drawn and playable: the policy of the page lets exactly these through.
  await expect(block(1)).toContainText('image/png · 70 B · 1 × 1')
  await expect(block(2).locator('audio')).toBeVisible()
  await expect
    .poll(() =>
      block(2)
        .locator('audio')
        .evaluate((audio: HTMLAudioElement) => audio.readyState),
    )
    .toBeGreaterThan(0)
  await expect(block(3)).toContainText('00000000  00 01 02 03 ff')
  await expect(block(3)).toContainText('file:///srv/notes.bin')
  await expect(block(4).locator('strong')).toHaveText('bold')
  await expect(block(5)).toContainText('javascript:alert(3)')
  await expect(desk.getByTestId('detail').last().getByRole('link')).toHaveCount(0)
  await expect(block(6)).toContainText('hologram')

  for (const theme of ['light', 'dark'] as const) {
    await desk.emulateMedia({ colorScheme: theme })
    expect(await serious(desk)).toEqual([])
  }
})

test('structured content is looked at against the output schema that the client was told', async ({ desk, client }) => {
  const measure = { name: 'workbench__measure' }
  await client.callTool(measure)
  await openResponse(desk, 'workbench__measure')
  await desk.getByRole('radio', { name: 'structured' }).click()
  await expect(desk.getByTestId('structured')).toContainText('no recorded tools/list')

  await client.listTools()
  await client.callTool(measure).catch(() => 'the client checks it, too')
  await expect(desk.getByTestId('call-row').filter({ hasText: 'workbench__measure' })).toHaveCount(2)
  await openResponse(desk, 'workbench__measure')
  await desk.getByRole('button', { name: /differs from its schema/ }).click()
  const structured = desk.getByTestId('structured')
  await expect(structured).toContainText('/celsius')
  await expect(structured).toContainText('should be number, not string')
  await expect(structured.getByTestId('schema-mark')).toHaveCount(3)
  expect(await serious(desk)).toEqual([])

  await structured.getByRole('button', { name: '/humidity' }).click()
  await structured.getByRole('button', { name: /the list of tools/ }).click()
  await expect(desk.getByTestId('detail').last()).toContainText('tools/list')
})
