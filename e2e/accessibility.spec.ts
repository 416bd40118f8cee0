import AxeBuilder from '@axe-core/playwright'
import type { Locator, Page } from '@playwright/test'
import { expect, rowOf, test } from './desk'

const faults = async (desk: Page) => {
  const { violations } = await new AxeBuilder({ page: desk }).setLegacyMode().analyze()
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`)
}
const command = async (desk: Page, text: string) => {
  await desk.keyboard.press('ControlOrMeta+k')
  await desk.keyboard.type(text)
  await desk.keyboard.press('Enter')
}
const VIEWS: Readonly<Record<string, (desk: Page) => Promise<void>>> = {
  subscriptions: (desk) => desk.getByTestId('subscriptions-item').click(),
  statistics: (desk) => desk.getByTestId('statistics-item').click(),
  findings: (desk) => desk.getByTestId('findings-item').click(),
  compose: (desk) => desk.getByTestId('compose-item').click(),
  'a request with a form': async (desk) => {
    await desk.getByTestId('offer-entry').filter({ hasText: 'workbench__stepwise' }).click()
    await expect(desk.getByRole('button', { name: 'leave out steps' })).toBeVisible()
    // A long form in a low window: what of it is out of sight does not make the page longer.
    await desk.setViewportSize({ width: 720, height: 200 })
    expect(await desk.evaluate(() => document.documentElement.scrollHeight - innerHeight)).toBe(0)
  },
  settings: (desk) => desk.getByTestId('settings-item').click(),
  'a backend': (desk) => desk.locator('[data-backend="faults"]').click(),
  'a table with groups': async (desk) => {
    await desk.getByTestId('live-item').click()
    await command(desk, 'group by backend')
    await expect(desk.getByTestId('group-row').first()).toBeVisible()
  },
  'adding a backend': async (desk) => {
    await command(desk, 'import')
    await desk.getByRole('radio', { name: 'Command' }).click()
    await desk.getByRole('button', { name: 'Add backend' }).click()
    await expect(desk.getByText('Give it a name.')).toBeVisible()
  },
  'editing a backend': async (desk) => {
    await desk.keyboard.press('Escape')
    await desk.locator('[data-backend="faults"]').click()
    await command(desk, 'edit the backend')
    await desk.getByRole('button', { name: 'add header field' }).click()
    await desk.getByLabel(/^URL/).fill('nowhere')
    await desk.getByRole('button', { name: 'Save' }).click()
    await expect(desk.getByText('Give a whole URL')).toBeVisible()
  },
  'a backend that is turned off': async (desk) => {
    await desk.keyboard.press('Escape')
    await command(desk, 'turn the backend off')
    await expect(desk.getByTestId('off-backend')).toContainText('"disabled": true')
  },
  'removing a backend': async (desk) => {
    await command(desk, 'remove the backend')
    await desk.getByRole('button', { name: 'Remove', exact: true }).click()
    await expect(desk.getByTestId('change-notice')).toBeVisible()
    await desk.getByRole('button', { name: 'Undo' }).click()
    await expect(desk.getByTestId('off-backend')).toBeVisible()
    await command(desk, 'turn the backend off or on')
    await expect(desk.getByTestId('backend-view')).toBeVisible()
  },
  'the keys': async (desk) => {
    await desk.keyboard.press('Escape')
    await desk.keyboard.press('?')
    await expect(desk.getByRole('dialog', { name: 'Keys' })).toBeVisible()
  },
  'the palette': async (desk) => {
    await desk.keyboard.press('Escape')
    await desk.keyboard.press('ControlOrMeta+k')
    await expect(desk.getByRole('option').first()).toBeVisible()
  },
  'a call': async (desk) => {
    await desk.keyboard.press('Escape')
    await command(desk, 'do not group')
    await rowOf(desk, 'faults__stray_ids').click()
    await expect(desk.getByTestId('frame-row').first()).toBeVisible()
    await desk.setViewportSize({ width: 720, height: 450 })
    const height = async () => (await desk.getByRole('listbox', { name: 'frames' }).boundingBox())?.height ?? 0
    await expect.poll(height, 'frames keep a height to be read at').toBeGreaterThan(60)
  },
  'a comment': async (desk) => {
    await desk.keyboard.press('c')
    await expect(desk.getByRole('textbox', { name: 'comment on this call' })).toBeFocused()
  },
}

test('no view has an accessibility fault, at 100 % and at 200 %', async ({ desk, client }) => {
  // Thirty-two times axe over a page full of rows.
  test.setTimeout(300_000)
  await client.callTool({ name: 'faults__stray_ids' })
  await expect(rowOf(desk, 'faults__stray_ids')).toBeVisible()
  for (const [name, open] of Object.entries(VIEWS)) {
    await open(desk)
    // A zoom of 200 % gives the page half as many pixels each way.
    for (const [width, height] of [
      [1440, 900],
      [720, 450],
    ] as const) {
      await desk.setViewportSize({ width, height })
      expect(await faults(desk), `${name} at ${width} pixels`).toEqual([])
      const beyond = await desk.evaluate(() => {
        const { scrollWidth, scrollHeight } = document.documentElement
        return { right: scrollWidth - innerWidth, below: scrollHeight - innerHeight }
      })
      expect(beyond, `nothing of ${name} at ${width} pixels is beyond the window`).toEqual({ right: 0, below: 0 })
    }
    await desk.setViewportSize({ width: 1440, height: 900 })
  }
})

test('nothing moves by itself for those who want no motion', async ({ desk, client, workbench }) => {
  await desk.emulateMedia({ reducedMotion: 'reduce' })
  const running = client.callTool(
    { name: 'workbench__stepwise', arguments: { key: 's' } },
    { onprogress: () => undefined },
  )
  await rowOf(desk, 'workbench__stepwise').click()
  const moving = () =>
    desk.evaluate(() => document.getAnimations().filter(({ playState }) => playState === 'running').length)
  await expect.poll(moving).toBe(0)
  for (let step = 0; step < 3; step++) workbench.step('s')
  await running
})

test('where the system chooses the colours, what is chosen is still marked', async ({ desk, client }) => {
  await client.callTool({ name: 'faults__stray_ids' })
  await desk.emulateMedia({ forcedColors: 'active' })
  await rowOf(desk, 'faults__stray_ids').click()
  const background = (of: Locator) => of.evaluate((element) => getComputedStyle(element).backgroundColor)
  const marked = async (chosen: Locator, other: Locator) => {
    await expect(chosen).toBeVisible()
    expect(await background(chosen)).not.toBe(await background(other))
  }
  const rows = desk.getByTestId('call-row')
  await marked(rows.and(desk.locator('[aria-selected=true]')), rows.and(desk.locator('[aria-selected=false]')).first())
  await marked(desk.getByTestId('live-item'), desk.getByTestId('settings-item'))
  await marked(desk.getByRole('radio', { name: 'both legs' }), desk.getByRole('radio', { name: 'client', exact: true }))
  await desk.getByTestId('copy-call').click()
  await desk.keyboard.press('ArrowDown')
  await marked(desk.locator('[data-highlighted]'), desk.getByRole('menuitem').last())
  await desk.keyboard.press('Escape')
  await desk.keyboard.press('ControlOrMeta+k')
  await marked(desk.locator('[role=option][data-selected=true]'), desk.getByRole('option').nth(3))
})
