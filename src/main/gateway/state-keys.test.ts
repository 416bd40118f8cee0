import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { keysFromText, loadStateKeys } from './state-keys'

let folder: string
beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'sluice-keys-'))))
afterEach(() => rm(folder, { recursive: true }))

const key = (byte: number) => Buffer.alloc(32, byte).toString('base64url')

it('creates a key on the first run, for this user only, and finds it again', async () => {
  const data = join(folder, 'new', 'data')
  const first = await loadStateKeys(data, {})
  expect(first.secrets.get(first.current)).toHaveLength(32)
  expect((await stat(join(data, 'state-keys.json'))).mode & 0o777).toBe(0o600)
  expect(await loadStateKeys(data, {})).toEqual(first)
})

it('two instances that start at once agree on one key', async () => {
  const all = await Promise.all(Array.from({ length: 8 }, () => loadStateKeys(folder, {})))
  expect(new Set(all.map((keys) => keys.current)).size).toBe(1)
})

it('the environment goes before the file; its first key seals', async () => {
  const keys = await loadStateKeys(folder, { SLUICE_STATE_KEYS: `new:${key(1)},old:${key(2)}` })
  expect([keys.current, [...keys.secrets.keys()]]).toEqual(['new', ['new', 'old']])
})

it.each(['x', 'k:short', `:${key(1)}`, `bad id:${key(1)}`, `a:${key(1)},`])('refuses SLUICE_STATE_KEYS=%s', (text) =>
  expect(() => keysFromText(text)).toThrow(/SLUICE_STATE_KEYS/),
)

it.each(['{', '{"current":"a","keys":{}}', '{"current":"a","keys":{"a":"short"}}'])(
  'names the file when it is broken: %s',
  async (text) => {
    const file = join(folder, 'state-keys.json')
    await writeFile(file, text)
    await expect(loadStateKeys(folder, {})).rejects.toThrow(file)
    expect(await readFile(file, 'utf8')).toBe(text)
  },
)
