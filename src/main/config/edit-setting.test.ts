import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { JsonValue } from '../../shared/protocol/json-rpc'
import { ConfigurationError } from './configuration-error'
import { readSettings, setSettingInFile } from './edit-setting'

let folder = ''
let file = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-setting-'))
  file = join(folder, 'sluice.json')
})
afterEach(() => rm(folder, { recursive: true }))

const edit = async (text: string, at: string[], value: JsonValue | undefined): Promise<string> => {
  await writeFile(file, text)
  await setSettingInFile(file, at, value, {})
  return readFile(file, 'utf8')
}
const PORT = ['gateway', 'port']
const POLICY = ['gateway', 'names', 'policy']

describe('setSettingInFile', () => {
  it.each<[string, string[], JsonValue | undefined, string]>([
    ['{ "gateway": { "port": 1 } }', PORT, 8000, '{ "gateway": { "port": 8000 } }'],
    [
      '{\n  "gateway": {\n    "port": 1 // mine\n  }\n}',
      PORT,
      8000,
      '{\n  "gateway": {\n    "port": 8000 // mine\n  }\n}',
    ],
    ['{ "gateway": {} }', PORT, 8000, '{ "gateway": {\n  "port": 8000\n} }'],
    ['{ "mcpServers": {} }', PORT, 0, '{ "mcpServers": {}, "gateway": {"port":0} }'],
    ['{ "mcpServers": {} }', POLICY, 'manual', '{ "mcpServers": {}, "gateway": {"names":{"policy":"manual"}} }'],
    ['{ "gateway": { "port": 1, "host": "::1" } }', PORT, undefined, '{ "gateway": {"host": "::1" } }'],
    ['{ "gateway": { "host": "::1" } }', PORT, undefined, '{ "gateway": { "host": "::1" } }'],
    [
      '{ "gateway": { "allowedHosts": ["a:1"] } }',
      ['gateway', 'allowedHosts'],
      ['b:2', 'c:3'],
      '{ "gateway": { "allowedHosts": ["b:2","c:3"] } }',
    ],
  ])('in %s sets %j to %j', async (text, at, value, expected) => {
    expect(await edit(text, at, value)).toBe(expected)
  })

  it.each<[string, string, string[], JsonValue]>([
    ['a value that is not allowed', '{ "gateway": {} }', PORT, 99_999],
    ['a value of another kind', '{ "gateway": {} }', PORT, 'many'],
    ['something that is no setting', '{}', ['mcpServers', 'x'], { command: 'sh' }],
    ['a member of no object', '{}', ['gateway', '__proto__', 'port'], 1],
    ['a file that is broken', '{ "gateway": ', PORT, 1],
    ['a file whose gateway is no object', '{ "gateway": 5 }', PORT, 1],
  ])('refuses %s and leaves the file alone', async (_what, text, at, value) => {
    await writeFile(file, text)
    await expect(setSettingInFile(file, at, value, {})).rejects.toBeInstanceOf(ConfigurationError)
    expect(await readFile(file, 'utf8')).toBe(text)
  })
})

describe('readSettings', () => {
  it('says of each setting what counts, and whether the file says it', async () => {
    await writeFile(file, '{ "gateway": { "port": 8000, "redact": { "keys": ["pin"] } } }')
    const { file: path, values } = await readSettings(file, {})
    expect(path).toBe(file)
    const of = (at: string) => values.find((each) => each.path.join('.') === at)
    expect(of('gateway.port')).toEqual({ path: PORT, value: 8000, own: true })
    expect(of('gateway.redact.keys')).toMatchObject({ value: ['pin'], own: true })
    expect(of('gateway.redact.headers')).toMatchObject({ value: [], own: false })
    expect(of('gateway.names.policy')).toMatchObject({ value: 'prefix', own: false })
  })

  it('rejects in words for a file that is broken', async () => {
    await writeFile(file, '{ "gateway": { "port": "many" } }')
    await expect(readSettings(file, {})).rejects.toBeInstanceOf(ConfigurationError)
  })
})
