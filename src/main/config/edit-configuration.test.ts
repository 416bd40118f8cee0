import { chmod, lstat, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ConfigurationError } from './configuration-error'
import { addEntryToFile } from './edit-configuration'

const url = 'http://127.0.0.1:9/mcp'
let folder = ''
let file = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-edit-'))
  file = join(folder, 'sluice.json')
})
afterEach(() => rm(folder, { recursive: true }))

const add = (to: string, name = 'new'): Promise<void> =>
  addEntryToFile(to, name, () => ({ entry: { type: 'http', url }, problems: [] }))

describe('addEntryToFile', () => {
  it.each([
    ['{}', '{\n  "mcpServers": {\n    "new": {\n      "type": "http",\n      "url": "URL"\n    }\n  }\n}'],
    [
      '{\n\t// mine\n\t"mcpServers": {\n\t\t"a": { "url": "http://x" } // stays\n\t}\n}\n',
      '{\n\t// mine\n\t"mcpServers": {\n\t\t"a": { "url": "http://x" }, // stays\n\t\t"new": {\n\t\t\t"type": "http",\n\t\t\t"url": "URL"\n\t\t}\n\t}\n}\n',
    ],
    [
      '{\n  "mcpServers": {\n    "a": {}, // trailing comma\n    /* last */\n  },\n}',
      '{\n  "mcpServers": {\n    "a": {}, // trailing comma\n    /* last */\n    "new": {\n      "type": "http",\n      "url": "URL"\n    }\n  },\n}',
    ],
    [
      '{ "gateway": { "port": 0 }, "mcpServers": { "a": {} } }',
      '{ "gateway": { "port": 0 }, "mcpServers": { "a": {}, "new": {"type":"http","url":"URL"} } }',
    ],
    ['{ "gateway": {} }', '{ "gateway": {}, "mcpServers": {"new":{"type":"http","url":"URL"}} }'],
    [
      '{\n  "gateway": {} // keep\n}\n',
      '{\n  "gateway": {}, // keep\n  "mcpServers": {\n    "new": {\n      "type": "http",\n      "url": "URL"\n    }\n  }\n}\n',
    ],
    [
      '{\n  "mcpServers": {\n    // none yet\n  }\n}',
      '{\n  "mcpServers": {\n    // none yet\n    "new": {\n      "type": "http",\n      "url": "URL"\n    }\n  }\n}',
    ],
    [
      '\uFEFF{\r\n    "servers": {}\r\n}',
      '\uFEFF{\r\n    "servers": {\r\n        "new": {\r\n            "type": "http",\r\n            "url": "URL"\r\n        }\r\n    }\r\n}',
    ],
  ])('keeps the layout (%#)', async (before, after) => {
    await writeFile(file, before)
    await add(file)
    expect(await readFile(file, 'utf8')).toBe(after.replace('URL', url))
  })

  it.each([
    ['{ "mcpServers": { "new": {} } }', 'new', 'mcpServers.new', 'exists already'],
    ['{ "mcpServers": {} }', 'x'.repeat(65), `mcpServers.${'x'.repeat(65)}`, 'use at most 64 characters'],
    ['{ "mcpServers": {} }', 'a__b', 'mcpServers.a__b', 'is no backend name'],
    ['{ "mcpServers": [] }', 'new', 'mcpServers', 'is not an object'],
    ['[]', 'new', '(the whole file)', 'is not an object'],
    ['{ "mcpServers": ', 'new', '(the whole file)', 'is not valid JSON'],
  ])('refuses %s + %s', async (text, name, path, message) => {
    await writeFile(file, text)
    const error = await add(file, name).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(ConfigurationError)
    expect(error).toMatchObject({ problems: [{ path, message: expect.stringContaining(message) }] })
    expect(await readFile(file, 'utf8')).toBe(text)
  })

  it('keeps permissions and links, and leaves no other file behind', async () => {
    await writeFile(file, '{}')
    await chmod(file, 0o640)
    const link = join(folder, 'link.json')
    await symlink(file, link)
    await add(link)
    expect((await lstat(link)).isSymbolicLink()).toBe(true)
    expect((await stat(file)).mode & 0o777).toBe(0o640)
    expect(await readFile(file, 'utf8')).toContain('"new"')
    expect((await readdir(folder)).sort()).toEqual(['link.json', 'sluice.json'])
  })

  it('says that the file is missing', async () => {
    await expect(add(join(folder, 'absent.json'))).rejects.toThrow('does not exist')
  })
})
