import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, rowOf, test } from './desk'
import { startWorkbench } from './workbench'

test('what the page of a server prints is pasted, read before it is started, and refused at its place', async ({
  desk,
  folder,
}) => {
  const file = join(folder, 'sluice.json')
  const before = await readFile(file, 'utf8')
  await desk.getByRole('button', { name: /^add/i }).first().click()
  const adder = desk.getByRole('dialog', { name: 'Add a backend' })
  await adder.getByRole('radio', { name: 'JSON' }).click()
  const paste = async (text: string) => {
    await adder.getByRole('textbox', { name: 'entry of the backend' }).click()
    await desk.keyboard.press('ControlOrMeta+a')
    await desk.keyboard.press('Delete')
    await desk.keyboard.insertText(text)
  }
  const words = `process.stderr.write('one-word'); setInterval(() => 0, 9e5)`
  const entry = { command: process.execPath, args: ['-e', words], env: { WORD: 'x' } }
  await expect(adder.getByText('Paste its entry')).toBeVisible()

  await paste(JSON.stringify({ mcpServers: { one: entry, two: entry } }))
  await expect(adder.getByText('There are 2 servers here: one, two.')).toContainText('from another tool')
  await paste(`"servers": { "words": ${JSON.stringify({ ...entry, agrs: [] })} }, // of its page`)
  await expect(adder.getByLabel(/^Name/)).toHaveValue('words')
  const written = adder.getByRole('region', { name: 'what will be written' })
  await expect(written).toContainText(file)
  await expect(written).toContainText('as words')
  await expect(adder.getByRole('note')).toContainText('This starts a program on this machine')
  await expect(adder.getByRole('note')).toContainText('one-word')
  await expect(adder.getByRole('note')).toContainText('with WORD')
  await adder.getByRole('button', { name: 'Add backend' }).click()
  await expect(adder.getByRole('alert')).toContainText('agrs is not a known key')
  expect(await readFile(file, 'utf8')).toBe(before)

  // In fields it is the same entry, and what they do not show stays.
  await paste(JSON.stringify({ servers: { words: { ...entry, include: ['a'] } } }))
  await adder.getByRole('radio', { name: 'Fields' }).click()
  await expect(adder.getByText('edited as JSON: include')).toBeVisible()
  await adder.getByRole('button', { name: 'Add backend' }).click()
  await expect(adder).toBeHidden()
  await expect(desk.locator('[data-testid=backend-item][data-backend=words]')).toBeVisible()
  const { mcpServers } = JSON.parse(await readFile(file, 'utf8')) as { mcpServers: Record<string, unknown> }
  expect(mcpServers.words).toEqual({ ...entry, include: ['a'] })
})

test('a backend is added in the desk, and can be called at once', async ({ desk, client }) => {
  const late = await startWorkbench()
  try {
    await expect(desk.getByTestId('backend-item')).toHaveCount(3)
    await desk.getByRole('button', { name: /^add/i }).first().click()
    await desk.getByLabel(/^Name/).fill('late')
    await desk.getByLabel(/^URL/).fill(late.url)
    await desk.getByRole('button', { name: 'Add backend' }).click()

    const item = desk.getByTestId('backend-item').filter({ hasText: 'late' })
    await expect(item).toBeVisible()
    await expect(item).toContainText('modern')
    const answer = await client.callTool({ name: 'late__quick', arguments: { key: 'x' } })
    expect(answer.content).toEqual([{ type: 'text', text: 'quick x' }])
    await expect(rowOf(desk, 'late__quick')).toBeVisible()
  } finally {
    await late.close()
  }
})
