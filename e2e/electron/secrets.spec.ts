import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import AxeBuilder from '@axe-core/playwright'
import { expect, rowOf, test } from '../desk'

const VALUE = 'correct-horse-battery'

test('a backend waits for its secret, gets it, and nobody else does', async ({ desk, folder, workbench, client }) => {
  const config = join(folder, 'sluice.json')
  const text = JSON.parse(await readFile(config, 'utf8')) as { mcpServers: Record<string, object> }
  text.mcpServers.guarded = { type: 'http', url: workbench.url, headers: { 'X-Key': 'key ${secret:WORK_KEY}' } }
  await writeFile(config, JSON.stringify(text))

  await desk.locator('[data-testid=waiting-item][data-backend=guarded]').click()
  const secrets = desk.getByTestId('secrets')
  await expect(secrets.getByTestId('secret')).toContainText(['WORK_KEY'])
  await expect(secrets.getByTestId('secret')).toContainText(['not set'])
  await expect(secrets).toContainText('used by guarded')
  // The test machine has no keychain, which is said.
  await expect(secrets).toContainText(/Not really protected|the key is kept by/)

  await secrets.getByRole('button', { name: 'set WORK_KEY' }).click()
  await expect(secrets.getByLabel('name')).toHaveValue('WORK_KEY')
  await expect(secrets.getByLabel('value')).toBeFocused()
  await desk.keyboard.type(VALUE)
  await desk.keyboard.press('Enter')
  await expect(secrets.getByTestId('secret')).toContainText(['set 20'])
  await expect(secrets.getByLabel('value')).toHaveValue('')
  expect(await desk.content()).not.toContain(VALUE)

  await expect(desk.locator('[data-testid=backend-item][data-backend=guarded]')).toBeVisible()
  await expect.poll(async () => (await client.listTools()).tools.map(({ name }) => name)).toContain('guarded__quick')
  // What a server repeats is not shown either.
  await client.callTool({ name: 'guarded__quick', arguments: { key: VALUE } })
  await desk.getByTestId('live-item').click()
  await rowOf(desk, 'guarded__quick').click()
  await desk.getByRole('tab', { name: 'Raw' }).click()
  await expect(desk.getByRole('tabpanel')).toContainText('«redacted')
  expect(await desk.content()).not.toContain(VALUE)
  await desk.getByRole('button', { name: 'settings' }).click()
  // Electron's page cannot open the blank one that axe would finish in.
  await expect(secrets).toBeVisible()
  const { violations } = await new AxeBuilder({ page: desk }).setLegacyMode(true).analyze()
  expect(violations).toEqual([])

  const file = join(folder, 'data', 'secrets.json')
  expect(await readFile(file, 'utf8')).not.toContain(VALUE)
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect(await readFile(config, 'utf8')).not.toContain(VALUE)
})

test('a secret can be given where nothing but the backend that waits for it is configured', async ({
  desk,
  folder,
}) => {
  const waits = { type: 'http', url: 'http://127.0.0.1:9/mcp', headers: { 'X-Key': '${secret:WORK_KEY}' } }
  await writeFile(join(folder, 'sluice.json'), JSON.stringify({ mcpServers: { guarded: waits } }))
  await expect(desk.getByTestId('backend-item')).toHaveCount(0)
  await desk.locator('[data-testid=waiting-item][data-backend=guarded]').click()
  await expect(desk.getByTestId('secrets').getByTestId('secret')).toContainText(['WORK_KEY'])
})
