import { copyFile, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { MODERN_VERSION } from '../../src/shared/protocol/revisions'
import { expect, rowOf } from '../desk'
import { test } from './packaged-test'

test('it starts, shows a live call, quits in order, and starts again', async ({ start, folder, workbench }) => {
  const first = await start()
  const endpoint = first.page.getByTestId('endpoint').first()
  await expect(endpoint).toContainText(/http:.*\/mcp/)
  const [url = ''] = /http:\S+\/mcp/.exec(await endpoint.innerText()) ?? []

  const client = new Client(
    { name: 'e2e', version: '1.0.0' },
    { versionNegotiation: { mode: { pin: MODERN_VERSION } } },
  )
  await client.connect(new StreamableHTTPClientTransport(new URL(url)))
  const answer = client.callTool(
    { name: 'workbench__stepwise', arguments: { key: 'a', steps: 1 } },
    { onprogress: () => undefined },
  )
  await rowOf(first.page, 'workbench__stepwise').click()
  await expect(first.page.getByRole('img', { name: /^client leg: .*progress message/ })).toBeVisible()
  workbench.step('a')
  expect((await answer).content).toEqual([{ type: 'text', text: 'stepwise a' }])
  await client.close()
  expect(await first.quit()).toBe(0)

  const captures = join(folder, 'data', 'captures')
  const capture = (await readdir(captures)).find((name) => name.endsWith('.ndjson')) ?? ''
  expect(await readFile(join(captures, capture), 'utf8')).toContain('workbench__stepwise')

  const second = await start()
  await expect(second.page.getByTestId('endpoint').first()).toContainText(/http:.*\/mcp/)
  expect(await second.quit()).toBe(0)
})

test('a capture file that is given to it is opened', async ({ start, folder }) => {
  const first = await start()
  await expect(first.page.getByTestId('endpoint').first()).toContainText(/http:.*\/mcp/)
  await first.quit()
  const captures = join(folder, 'data', 'captures')
  const name = (await readdir(captures)).find((each) => each.endsWith('.ndjson')) ?? ''
  const given = join(folder, 'given.ndjson')
  await copyFile(join(captures, name), given)

  const second = await start({}, [given])
  await second.page.getByTestId('capture-item').filter({ hasText: 'given' }).click()
  await expect(second.page.getByTestId('capture-pane')).toContainText('given')
})
