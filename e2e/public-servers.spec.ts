import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from '@modelcontextprotocol/client'
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as LegacyTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { MODERN_VERSION } from '../src/shared/protocol/revisions'
import { openInBrowser, openInElectron } from './carriers'
import { expect, root, rowOf, test } from './desk'

/** The servers that the protocol's project publishes on npm, as they are, started by the gateway. */
const published = (name: string, args: string[] = [], env: Record<string, string> = {}) => ({
  type: 'stdio',
  // Not Electron's own, which is no Node.
  command: 'node',
  args: [join(root, 'node_modules', '@modelcontextprotocol', name, 'dist', 'index.js'), ...args],
  env,
})

test('public servers as backends, used from both eras, seen in the desk', async ({ carrier, folder }) => {
  test.setTimeout(120_000)
  const config = join(folder, 'public.json')
  const mcpServers = {
    everything: published('server-everything'),
    files: published('server-filesystem', [folder]),
    memory: published('server-memory', [], { MEMORY_FILE_PATH: join(folder, 'memory.jsonl') }),
  }
  await writeFile(config, JSON.stringify({ gateway: { port: 0 }, mcpServers }))
  const switches = ['--config', config, '--data', join(folder, 'public-data')]
  const { page, close } = await (carrier === 'electron' ? openInElectron(switches) : openInBrowser(switches))
  try {
    for (const name of Object.keys(mcpServers)) {
      const item = page.locator(`[data-testid="backend-item"][data-backend="${name}"]`)
      await expect(item).toContainText('legacy', { timeout: 45_000 })
    }
    const [endpoint = ''] = /http:\S+\/mcp/.exec(await page.getByTestId('endpoint').first().innerText()) ?? []

    const modern = new ModernClient(
      { name: 'modern', version: '1' },
      { versionNegotiation: { mode: { pin: MODERN_VERSION } } },
    )
    await modern.connect(new ModernTransport(new URL(endpoint)))
    const heard: number[] = []
    await modern.callTool(
      { name: 'everything__trigger-long-running-operation', arguments: { duration: 1, steps: 2 } },
      { onprogress: ({ progress }) => heard.push(progress) },
    )
    expect(heard.length).toBeGreaterThan(0)
    const legacy = new LegacyClient({ name: 'legacy', version: '1' })
    await legacy.connect(new LegacyTransport(new URL(endpoint)))
    const entities = [{ name: 'sluice', entityType: 'tool', observations: ['shows every call'] }]
    await legacy.callTool({ name: 'memory__create_entities', arguments: { entities } })
    await legacy.callTool({ name: 'files__list_directory', arguments: { path: folder } })

    await rowOf(page, 'everything__trigger-long-running-operation', 'M→L').click()
    await expect(page.getByRole('img', { name: /^client leg: .*progress message/ })).toBeVisible()
    await expect(rowOf(page, 'memory__create_entities', 'L→L')).toContainText('memory')
    await rowOf(page, 'files__list_directory', 'L→L').click()
    await page.getByTestId('tab-response').click()
    // Only what is named differs between the legs, whatever the eras are.
    await expect(page.getByText(/named edit|the same on both legs/).first()).toBeVisible()
    await rowOf(page, 'everything__trigger-long-running-operation', 'M→L').click()
    await page.getByTestId('tab-response').click()
    await expect(page.getByText(/named edit/).first()).toBeVisible()
    await page.locator('[data-testid="backend-item"][data-backend="memory"]').click()
    await expect(page.getByTestId('backend-view')).toContainText('create_entities')
    await modern.close()
    await legacy.close()
  } finally {
    await close()
  }
})
