import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import AxeBuilder from '@axe-core/playwright'
import type { OpenDesk } from './carriers'
import { expect, rowOf, test } from './desk'

const quick = (key: string) => ({ name: 'workbench__quick', arguments: { key } })

/** Where the system's dialog, or in a browser the desk's own, is told to write. */
async function choosesTarget({ electronApp }: OpenDesk, file: string): Promise<void> {
  await electronApp?.evaluate(({ dialog }, path) => {
    dialog.showSaveDialog = () => Promise.resolve({ canceled: false, filePath: path })
  }, file)
}

test('recorded calls are planned, sent again when they are agreed to, and compared', async ({
  desk,
  opened,
  client,
  folder,
}) => {
  await client.callTool(quick('again'))
  await client.callTool({ name: 'faults__tool_error' })
  await expect(rowOf(desk, 'faults__tool_error')).toBeVisible()
  await desk.getByTestId('filter-input').fill('method:tools/call')
  await desk.getByTestId('calls-menu').click()
  await desk.getByRole('menuitem', { name: /^Replay the 2/ }).click()

  const pane = desk.getByTestId('replay-pane')
  await expect(pane).toContainText('nothing was sent yet')
  await expect(pane).toContainText('May change something')
  await expect(desk.getByTestId('replay-start')).toBeDisabled()
  await expect(desk.getByRole('region', { name: 'plan of the replay' })).toBeFocused()
  await pane.getByRole('button', { name: 'Choose all' }).click()
  await expect(desk.getByTestId('replay-start')).toHaveText('Send 2 operations')
  const { violations } = await new AxeBuilder({ page: desk }).setLegacyMode().analyze()
  expect(violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')).toEqual([])

  await desk.getByTestId('replay-start').press('Enter')
  await expect(desk.getByTestId('replay-sum')).toContainText('No differences')
  // Not on what would forget it.
  await expect(desk.getByTestId('replay-sum')).toBeFocused()
  await expect(desk.getByTestId('replay-sum')).toContainText('2 same')
  await desk.getByTestId('replayed-operation').first().click()
  await expect(desk.getByTestId('operation-diff')).toContainText('The same')

  const report = join(folder, 'report.json')
  await choosesTarget(opened, report)
  await pane.getByRole('button', { name: 'Save report…' }).click()
  if (opened.electronApp === undefined) {
    await desk.getByLabel(/^Path on the machine/).fill(report)
    await desk.getByRole('button', { name: 'Save', exact: true }).click()
  }
  await expect(pane).toContainText('written to')
  expect(JSON.parse(await readFile(report, 'utf8'))).toMatchObject({ counts: { total: 2, same: 2 } })

  // Live against replayed, side by side, and back.
  await desk.getByTestId('operation-diff').getByRole('button', { name: 'Side by side' }).click()
  const beside = desk.getByTestId('compare-pane')
  await expect(beside.getByTestId('compared-differences')).toContainText('Both answers are the same')
  await expect(beside.getByTestId('compared-was')).toContainText('this run')
  await beside.getByTestId('compared-frames-now').getByTestId('frame-row').first().click()
  await expect(beside.getByTestId('compared-frames-now')).toContainText('Request')
  const seen = await new AxeBuilder({ page: desk }).setLegacyMode().analyze()
  expect(seen.violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')).toEqual([])
  await desk.keyboard.press('Escape')
  await expect(beside).toHaveCount(0)
  await desk.getByTestId('replayed-operation').first().click()

  await desk
    .getByTestId('operation-diff')
    .getByRole('button', { name: /^now #/ })
    .click()
  await expect(desk.getByTestId('live-item')).toHaveAttribute('aria-current', 'true')
  await expect(desk.locator('[data-testid="call-row"][aria-selected="true"]')).toBeVisible()
})

test('calls are exported redacted, and with sensitive data only when that is asked for once more', async ({
  desk,
  opened,
  client,
  folder,
}) => {
  await client.callTool({ name: 'workbench__quick', arguments: { key: 'k', password: 'hunter2hunter2' } })
  await expect(rowOf(desk, 'workbench__quick')).toBeVisible()
  const write = async (file: string, sensitive: boolean): Promise<string> => {
    await choosesTarget(opened, file)
    await desk.getByTestId('calls-menu').click()
    await desk.getByRole('menuitem', { name: 'Export…' }).click()
    await desk.getByRole('radio', { name: 'HAR 1.2' }).click()
    if (opened.electronApp === undefined) await desk.getByLabel(/^Path on the machine/).fill(file)
    if (sensitive) {
      await desk.getByRole('button', { name: 'With sensitive data…' }).click()
      await expect(desk.getByRole('button', { name: 'Back', exact: true })).toBeFocused()
      await desk.keyboard.press('Enter')
      await expect(desk.getByRole('button', { name: 'With sensitive data…' })).toBeFocused()
      await desk.keyboard.press('Enter')
    }
    await desk.getByRole('button', { name: sensitive ? 'Write with sensitive data' : 'Export redacted' }).click()
    await expect(desk.getByTestId('exported')).toContainText('written to')
    await desk.getByRole('button', { name: 'Close', exact: true }).click()
    return readFile(file, 'utf8')
  }
  expect(await write(join(folder, 'redacted.har'), false)).not.toContain('hunter2hunter2')
  expect(await write(join(folder, 'whole.har'), true)).toContain('hunter2hunter2')

  // What is asked for once more is left by Escape, whatever has the focus, and with it the dialog alone.
  await rowOf(desk, 'workbench__quick').click()
  await desk.getByTestId('calls-menu').click()
  await desk.getByRole('menuitem', { name: 'Export…' }).click()
  await desk.getByRole('button', { name: 'With sensitive data…' }).click()
  await desk.evaluate(() => (document.activeElement as HTMLElement).blur())
  await desk.keyboard.press('m')
  await desk.keyboard.press('Escape')
  await expect(desk.getByRole('dialog')).toHaveCount(0)
  await expect(desk.getByTestId('detail').last()).toBeVisible()
  await expect(rowOf(desk, 'workbench__quick').locator('[data-mark]')).toHaveCount(0)
})

test('a call is copied without its secrets, and with them only when that is asked for once more', async ({
  desk,
  client,
}) => {
  await client.callTool({ name: 'workbench__quick', arguments: { key: 'k', password: 'hunter2hunter2' } })
  await rowOf(desk, 'workbench__quick').click()
  await desk.getByTestId('tab-request').click()
  await desk.evaluate(() => {
    navigator.clipboard.writeText = (text) => Promise.resolve(void document.body.setAttribute('data-copied', text))
  })
  const copied = () => desk.locator('body').getAttribute('data-copied')
  for (const form of ['Copy as cURL', 'Copy as TypeScript (SDK)', 'Copy the request']) {
    await desk.getByTestId('copy-call').click()
    await desk.getByRole('menuitem', { name: form }).click()
    await expect(desk.getByTestId('copy-call')).toHaveAccessibleName('Copied, without secrets')
    expect(await copied()).toContain('workbench__quick')
    expect(await copied()).not.toContain('hunter2hunter2')
    await desk.getByTestId('copy-call').click()
    await desk.getByRole('menuitem', { name: 'With sensitive data…' }).click()
    await expect(desk.getByRole('button', { name: 'Cancel' })).toBeFocused()
    await desk.getByRole('dialog').getByRole('button', { name: form }).click()
    await expect(desk.getByTestId('copy-call')).toHaveAccessibleName('Copied with sensitive data')
    expect(await copied()).toContain('hunter2hunter2')
    await expect(desk.getByTestId('copy-call')).toBeFocused()
  }
})

test('two calls are chosen and shown side by side, with what differs', async ({ desk, client }) => {
  await client.callTool(quick('one'))
  await client.callTool(quick('another'))
  const rows = desk.getByTestId('call-row').filter({ hasText: 'workbench__quick' })
  await expect(rows).toHaveCount(2)
  await rows.first().click()
  await desk.getByTestId('compare-call').click()
  await expect(desk.getByTestId('compare-call')).toHaveAttribute('aria-pressed', 'true')
  await rows.last().click()
  await desk.getByTestId('compare-call').click()
  const beside = desk.getByTestId('compare-pane')
  await expect(beside.getByTestId('compared-differences')).toContainText('another')
  await expect(beside.getByRole('group', { name: /^time lanes/ })).toHaveCount(2)
  await beside.getByRole('button', { name: 'close comparison' }).click()
  await expect(rows.last()).toHaveAttribute('aria-selected', 'true')
})
