import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, root, rowOf, test } from '../desk'

test('quitting ends open streams in order, so that no client hangs', async ({
  desk,
  electronApp,
  client,
  workbench,
}) => {
  const call = client.callTool(
    { name: 'workbench__stepwise', arguments: { key: 'a' } },
    { onprogress: () => undefined },
  )
  const failure = call.then(
    () => 'answered',
    (error: unknown) => String(error),
  )
  await rowOf(desk, 'workbench__stepwise').click()
  await expect(desk.getByRole('img', { name: /^client leg: .*progress message/ })).toBeVisible()

  const app = electronApp.process()
  const exited = once(app, 'exit')
  app.kill('SIGTERM')
  expect(await failure).toContain('stopping')
  expect(await exited).toEqual([0, null])
  await workbench.cancelled('a')
})

test('a second start brings the first window to the front and ends', async ({ desk, electronApp, folder }) => {
  await expect(desk.getByTestId('endpoint').first()).toBeVisible()
  await electronApp.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.hide())
  const switches = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  const second = spawn(
    process.env.SLUICE_E2E_ELECTRON ?? '',
    [root, ...switches, '--disable-gpu', '--data', join(folder, 'data'), '--config', join(folder, 'sluice.json')],
    { stdio: 'ignore' },
  )
  expect(await once(second, 'exit')).toEqual([0, null])
  await expect
    .poll(() =>
      electronApp.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().map((one) => one.isVisible())),
    )
    .toEqual([true])
})

test('the heap of the page is bounded, so that garbage does not pile up', async ({ desk }) => {
  await expect(desk.getByTestId('endpoint').first()).toBeVisible()
  const limit = await desk.evaluate(
    () => (performance as unknown as { memory: { jsHeapSizeLimit: number } }).memory.jsHeapSizeLimit,
  )
  expect(limit / 1_048_576).toBeLessThan(800)
})
