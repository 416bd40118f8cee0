import { copyFile, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import type { OpenDesk } from './carriers'

/** Opens a file as a user does: with the system's dialog in Electron, by its path in a browser. */
export async function openCapture({ page, electronApp }: OpenDesk, file: string): Promise<void> {
  await electronApp?.evaluate(({ dialog }, path) => {
    dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [path] })
  }, file)
  await page.getByTestId('open-capture').click()
  if (electronApp !== undefined) return
  await page.getByLabel(/^Path of a capture/).fill(file)
  await page.getByRole('button', { name: 'Open', exact: true }).click()
}

/** A copy of what is recorded, once this has `times` whole calls of the tool: what is recorded is in the file a moment later. */
export async function recorded(folder: string, name: string, tool: string, times = 1): Promise<string> {
  const captures = join(folder, 'data', 'captures')
  const copy = join(folder, name)
  await expect
    .poll(
      async () => {
        const [live = ''] = (await readdir(captures)).filter((each) => each.endsWith('.ndjson'))
        await copyFile(join(captures, live), copy)
        return wholeCalls(await readFile(copy, 'utf8'), tool)
      },
      { timeout: 20_000 },
    )
    .toBe(times)
  return copy
}

function wholeCalls(capture: string, tool: string): number {
  // The last line may be torn, as long as the file is written.
  const lines = capture.split('\n').slice(1, -1)
  const events = lines.map((line) => JSON.parse(line) as { kind: string; call?: number; name?: string })
  const calls = events.filter(({ kind, name }) => kind === 'call.received' && name === tool).map(({ call }) => call)
  return events.filter(({ kind, call }) => kind === 'call.ended' && calls.includes(call)).length
}

/** A HAR with one call of a server somewhere, of the tool `name`. */
export async function writeHar(file: string, name: string): Promise<string> {
  const message = { jsonrpc: '2.0', id: 1 }
  const request = { ...message, method: 'tools/call', params: { name, arguments: {} } }
  const answer = { ...message, result: { content: [] } }
  const entry = {
    startedDateTime: '2026-08-28T12:00:00.000Z',
    time: 20,
    request: {
      method: 'POST',
      url: 'https://mcp.example.com/mcp',
      headers: [{ name: 'MCP-Protocol-Version', value: '2026-07-28' }],
      postData: { text: JSON.stringify(request) },
    },
    response: { status: 200, headers: [], content: { mimeType: 'application/json', text: JSON.stringify(answer) } },
  }
  await writeFile(file, JSON.stringify({ log: { version: '1.2', entries: [entry] } }))
  return file
}
