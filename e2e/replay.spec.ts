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
  await pane.getByRole('button', { name: 'Choose all' }).click()
  await expect(desk.getByTestId('replay-start')).toHaveText('Send 2 operations')
  const { violations } = await new AxeBuilder({ page: desk }).setLegacyMode().analyze()
  expect(violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')).toEqual([])

  await desk.getByTestId('replay-start').click()
  await expect(desk.getByTestId('replay-sum')).toContainText('No differences')
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
    if (sensitive) await desk.getByRole('button', { name: 'With sensitive data…' }).click()
    await desk.getByRole('button', { name: sensitive ? 'Write with sensitive data' : 'Export redacted' }).click()
    await expect(desk.getByTestId('exported')).toContainText('written to')
    await desk.getByRole('button', { name: 'Close', exact: true }).click()
    return readFile(file, 'utf8')
  }
  expect(await write(join(folder, 'redacted.har'), false)).not.toContain('hunter2hunter2')
  expect(await write(join(folder, 'whole.har'), true)).toContain('hunter2hunter2')
})
