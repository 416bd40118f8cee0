import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { command, expect, test } from './desk'
import { startWorkbench } from './workbench'

const item = (desk: Page, name: string): Locator => desk.locator(`[data-testid=backend-item][data-backend="${name}"]`)
const offItem = (desk: Page, name: string): Locator => desk.locator(`[data-testid=off-item][data-backend="${name}"]`)
const dialog = (desk: Page): Locator => desk.getByTestId('edit-backend')

/** The configuration with comments, as people keep them. */
async function comment(folder: string): Promise<string> {
  const file = join(folder, 'sluice.json')
  const { gateway, mcpServers } = JSON.parse(await readFile(file, 'utf8')) as Record<string, Record<string, object>>
  const servers = Object.entries(mcpServers ?? {}).map(
    ([name, entry]) => `    // ${name} of the office\n    "${name}": ${JSON.stringify(entry)}, // fast`,
  )
  const text = `{\n  "gateway": ${JSON.stringify(gateway)},\n  "mcpServers": {\n${servers.join('\n')}\n  },\n}\n`
  await writeFile(file, text)
  return text
}

test('a backend is edited in fields and as JSON, and nothing else in the file changes', async ({
  desk,
  client,
  folder,
  workbench,
}) => {
  const file = join(folder, 'sluice.json')
  const other = await startWorkbench()
  try {
    const before = await comment(folder)
    await item(desk, 'workbench').click()
    await desk.getByRole('button', { name: 'Edit…' }).click()
    await dialog(desk).getByLabel(/^URL/).fill(other.url)
    await dialog(desk).getByLabel(/^Name/).fill('bench')
    await expect(dialog(desk).getByRole('region', { name: 'what will be written' })).toContainText(
      `url: "${other.url}"`,
    )
    await dialog(desk).getByRole('button', { name: 'Save' }).click()
    await expect(dialog(desk)).toBeHidden()
    await expect(item(desk, 'bench')).toContainText('modern')
    await expect(item(desk, 'workbench')).toBeHidden()
    const edited = before.replace('"workbench":', '"bench":').replace(workbench.url, other.url)
    expect(await readFile(file, 'utf8')).toBe(edited)
    const answer = await client.callTool({ name: 'bench__quick', arguments: { key: 'x' } })
    expect(answer.content).toEqual([{ type: 'text', text: 'quick x' }])

    await desk.getByRole('button', { name: 'Edit…' }).click()
    await dialog(desk).getByRole('radio', { name: 'JSON' }).click()
    const entry = dialog(desk).getByRole('textbox', { name: 'entry of the backend' })
    await entry.click()
    await desk.keyboard.press('ControlOrMeta+a')
    await desk.keyboard.insertText(`{ "type": "http", "url": "${other.url}", "incude": ["quick"] }`)
    await dialog(desk).getByRole('button', { name: 'Save' }).click()
    await expect(dialog(desk).getByRole('alert')).toContainText('incude is not a known key: did you mean "include"?')
    expect(await readFile(file, 'utf8')).toBe(edited)
    await entry.click()
    await desk.keyboard.press('ControlOrMeta+a')
    await desk.keyboard.insertText(`{ "type": "http", "url": "${other.url}", "include": ["quick"] }`)
    await dialog(desk).getByRole('button', { name: 'Save' }).click()
    await expect(dialog(desk)).toBeHidden()
    await expect(desk.getByTestId('backend-view')).toContainText('not offered')
    expect(await readFile(file, 'utf8')).toBe(edited.replace(`${other.url}"}`, `${other.url}", "include": ["quick"]}`))
  } finally {
    await other.close()
  }
})

test('what was written as JSON stays when the fields are shown and saved', async ({ desk, folder, workbench }) => {
  await item(desk, 'workbench').click()
  await desk.getByRole('button', { name: 'Edit…' }).click()
  await dialog(desk).getByRole('radio', { name: 'JSON' }).click()
  await dialog(desk).getByRole('textbox', { name: 'entry of the backend' }).click()
  await desk.keyboard.press('ControlOrMeta+a')
  await desk.keyboard.insertText(`{ "type": "http", "url": "${workbench.url}", "include": ["quick"] }`)
  await dialog(desk).getByRole('radio', { name: 'Fields' }).click()
  await expect(dialog(desk)).toContainText('edited as JSON: include')
  await dialog(desk).getByRole('button', { name: 'Save' }).click()
  await expect(dialog(desk)).toBeHidden()
  expect(await readFile(join(folder, 'sluice.json'), 'utf8')).toContain('"include"')
})

test('a backend is turned off and on, and its endpoint says so', async ({ desk, endpoint, folder }) => {
  const before = await comment(folder)
  await item(desk, 'workbench').click()
  await desk.getByTestId('backend-menu').click()
  await desk.getByRole('menuitem', { name: 'Turn off' }).click()
  await expect(offItem(desk, 'workbench')).toBeVisible()
  // Where it was, between the others.
  await expect(desk.locator('[data-testid=off-item], [data-testid=backend-item]').first()).toContainText('workbench')
  await expect(desk.getByTestId('off-backend')).toContainText('are told that it is turned off')
  const refused = await fetch(`${endpoint}/workbench`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: '{}',
  })
  expect(refused.status).toBe(404)
  expect(await refused.text()).toContain('turned off')

  await command(desk, 'Turn the backend off or on')
  await expect(item(desk, 'workbench')).toContainText('modern')
  expect(await readFile(join(folder, 'sluice.json'), 'utf8')).toBe(before)
})

test('the palette changes each backend by its name', async ({ desk }) => {
  await command(desk, 'edit workbench')
  await expect(dialog(desk).getByLabel(/^Name/)).toHaveValue('workbench')
  await desk.keyboard.press('Escape')
  await command(desk, 'turn off workbench')
  await expect(offItem(desk, 'workbench')).toBeVisible()
  await command(desk, 'turn on workbench')
  await expect(item(desk, 'workbench')).toBeVisible()
  await command(desk, 'remove workbench')
  await expect(desk.getByRole('dialog', { name: 'Remove workbench?' })).toBeVisible()
})

test('a backend is removed where it is listed, and put back where it was', async ({ desk, folder }) => {
  const file = join(folder, 'sluice.json')
  const before = await comment(folder)
  await item(desk, 'booking').click({ button: 'right' })
  await desk.getByRole('menuitem', { name: 'Remove…' }).click()
  const asked = desk.getByRole('dialog', { name: 'Remove booking?' })
  await expect(asked).toContainText(file)
  await asked.getByRole('button', { name: 'Remove' }).click()
  await expect(item(desk, 'booking')).toBeHidden()
  expect(await readFile(file, 'utf8')).not.toContain('"booking"')
  await desk.getByTestId('change-notice').getByRole('button', { name: 'Undo' }).click()
  await expect(item(desk, 'booking')).toBeVisible()
  expect(await readFile(file, 'utf8')).toBe(before)
})

test('a removal is undone by keys, also after an undo that failed', async ({ desk, folder }) => {
  const file = join(folder, 'sluice.json')
  await comment(folder)
  await item(desk, 'booking').click({ button: 'right' })
  await desk.getByRole('menuitem', { name: 'Remove…' }).click()
  await desk.keyboard.press('Enter')
  await expect(item(desk, 'booking')).toBeHidden()
  const without = await readFile(file, 'utf8')
  const undo = desk.getByTestId('change-notice').getByRole('button', { name: 'Undo' })
  await item(desk, 'workbench').click()
  await command(desk, 'Turn the backend off or on')
  await expect(offItem(desk, 'workbench')).toBeVisible()
  await command(desk, 'Turn the backend off or on')
  await expect(item(desk, 'workbench')).toBeVisible()
  expect(await readFile(file, 'utf8')).toBe(without)

  await writeFile(file, without.replace('"workbench":', '"booking":'))
  await undo.press('Enter')
  await expect(desk.getByRole('alert')).toContainText('exists already')
  await writeFile(file, without)
  await undo.press('Enter')
  await expect(item(desk, 'booking')).toBeFocused()
  await expect(undo).toBeHidden()
})

test('a program is started with other words only when that was read and said', async ({ desk, folder }) => {
  const file = join(folder, 'sluice.json')
  const says = (text: string) => `process.stderr.write('${text}'); setInterval(() => 0, 9e5)`
  const entry = { command: process.execPath, args: ['-e', says('one-word')], env: { SECRET_WORD: 'hunter2' } }
  await writeFile(file, JSON.stringify({ gateway: { port: 0 }, mcpServers: { words: entry } }, null, 2))
  await item(desk, 'words').click()
  await desk.getByRole('radio', { name: 'output' }).click()
  await expect(desk.getByTestId('backend-view')).toContainText('one-word')
  await desk.getByRole('button', { name: 'Edit…' }).click()
  await expect(dialog(desk).getByLabel('value of variable 1')).toHaveValue('«kept 1»')
  await expect(dialog(desk).getByRole('note')).toBeHidden()
  await dialog(desk).getByRole('textbox', { name: 'argument 2' }).fill(says('other-word'))
  await expect(dialog(desk).getByRole('note')).toContainText('This starts a program on this machine')
  await expect(dialog(desk).getByRole('note')).toContainText('other-word')
  await expect(dialog(desk)).not.toContainText('hunter2')
  await dialog(desk).getByRole('button', { name: 'Save and start' }).click()
  await expect(desk.getByTestId('backend-view')).toContainText('other-word')
  expect(await readFile(file, 'utf8')).toContain('"SECRET_WORD": "hunter2"')
})

test('what turning a backend on starts is shown before, wherever it is turned on', async ({ desk, folder }) => {
  const file = join(folder, 'sluice.json')
  const says = (text: string) => `process.stderr.write('${text}'); setInterval(() => 0, 9e5)`
  const write = (word: string) => {
    const entry = {
      command: process.execPath,
      args: ['-e', says(word)],
      env: { SECRET_WORD: 'hunter2' },
      disabled: true,
    }
    return writeFile(file, JSON.stringify({ gateway: { port: 0 }, mcpServers: { words: entry } }, null, 2))
  }
  const asked = desk.getByTestId('turn-on')
  await write('one-word')
  await offItem(desk, 'words').click({ button: 'right' })
  await desk.getByRole('menuitem', { name: 'Turn on' }).click()
  await expect(asked.getByRole('note')).toContainText('This starts a program on this machine')
  await expect(asked.getByRole('note')).toContainText('one-word')
  await expect(asked.getByRole('note')).toContainText('with SECRET_WORD')
  await expect(asked).not.toContainText('hunter2')
  // Another program changes it while it is read.
  await write('other-word')
  await asked.getByRole('button', { name: 'Turn on and start' }).click()
  await expect(asked.getByRole('alert')).toContainText('was changed in the file since it was read here')
  await asked.getByRole('button', { name: 'Read it again' }).click()
  await expect(asked.getByRole('note')).toContainText('other-word')
  await desk.keyboard.press('Escape')
  await expect(asked).toBeHidden()
  expect(await readFile(file, 'utf8')).toContain('"disabled"')

  await offItem(desk, 'words').click({ button: 'right' })
  await desk.getByRole('menuitem', { name: 'Turn on' }).click()
  await asked.getByRole('button', { name: 'Turn on and start' }).press('Enter')
  await expect(item(desk, 'words')).toBeVisible()
  await item(desk, 'words').click()
  await desk.getByRole('radio', { name: 'output' }).click()
  await expect(desk.getByTestId('backend-view')).toContainText('other-word')

  // Its page shows what it starts: there it is not asked once more.
  await command(desk, 'Turn the backend off or on')
  await expect(desk.getByTestId('off-backend').getByRole('note')).toContainText('other-word')
  await command(desk, 'Turn the backend off or on')
  await expect(item(desk, 'words')).toBeVisible()
  await expect(asked).toBeHidden()
})

test('what was changed in the file meanwhile is not overwritten', async ({ desk, folder, workbench }) => {
  const file = join(folder, 'sluice.json')
  await item(desk, 'workbench').click()
  const button = desk.getByRole('button', { name: 'Edit…' })
  await button.press('Enter')
  await dialog(desk).getByRole('button', { name: 'add header field' }).click()
  await dialog(desk).getByLabel('name of header field 1').fill('X-Mine')
  await dialog(desk).getByLabel('value of header field 1').fill('mine')
  const theirs = (await readFile(file, 'utf8')).replace(workbench.url, `${workbench.url}?theirs`)
  await writeFile(file, theirs)
  await dialog(desk).getByRole('button', { name: 'Save' }).click()
  await expect(dialog(desk).getByRole('alert')).toContainText('was changed in the file since it was read here')
  expect(await readFile(file, 'utf8')).toBe(theirs)
  await dialog(desk).getByRole('button', { name: 'Read it again' }).click()
  await expect(dialog(desk).getByLabel(/^URL/)).toHaveValue(`${workbench.url}?theirs`)
  await desk.keyboard.press('Escape')
  await expect(dialog(desk)).toBeHidden()
  await expect(button).toBeFocused()
})

test('what was typed stays when the entry is gone', async ({ desk, folder }) => {
  const file = join(folder, 'sluice.json')
  await item(desk, 'workbench').click()
  await desk.getByRole('button', { name: 'Edit…' }).click()
  await dialog(desk).getByRole('button', { name: 'add header field' }).click()
  await dialog(desk).getByLabel('name of header field 1').fill('X-Mine')
  await writeFile(file, (await readFile(file, 'utf8')).replace('"workbench":', '"other":'))
  await dialog(desk).getByRole('button', { name: 'Save' }).click()
  await expect(dialog(desk).getByRole('alert')).toContainText('is not in the file any more')
  await expect(dialog(desk).getByRole('button', { name: 'Read it again' })).toBeHidden()
  await expect(dialog(desk).getByLabel('name of header field 1')).toHaveValue('X-Mine')
})

test('one that is turned off may have a name of any length', async ({ desk, folder }) => {
  const name = 'long-'.repeat(80)
  const file = join(folder, 'sluice.json')
  const entry = { url: 'http://127.0.0.1:9/mcp', disabled: true }
  await writeFile(file, JSON.stringify({ gateway: { port: 0 }, mcpServers: { [name]: entry } }, null, 2))
  await offItem(desk, name).click()
  const pane = desk.getByTestId('off-backend')
  await expect(pane).toContainText('"disabled": true')
  const scrolled = pane.getByRole('region')
  expect(await scrolled.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
  await desk.getByRole('button', { name: 'Edit…' }).click()
  const title = dialog(desk).getByRole('heading', { level: 2 })
  await expect(title).toHaveAttribute('title', name)
  expect((await title.boundingBox())?.height).toBeLessThan(40)
})
