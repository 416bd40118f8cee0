import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { SecretCipher } from './secret-cipher'
import { SecretVault } from './secret-vault'

/** Turns bytes over, and reads only what it has written itself. */
function cipherOf(key: string): SecretCipher {
  return {
    protection: () => 'system',
    keeper: () => 'a test',
    encrypt: (text) => Buffer.from(key + text).map((byte) => byte ^ 0xff) as Buffer,
    decrypt: (bytes) => {
      const text = Buffer.from(bytes.map((byte) => byte ^ 0xff)).toString()
      if (!text.startsWith(key)) throw new Error('encrypted with another key')
      return text.slice(key.length)
    },
  }
}

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-secrets-'))
})
afterEach(() => rm(folder, { recursive: true }))

const withKey = (key = 'one:'): SecretVault => new SecretVault(folder, cipherOf(key))

describe('SecretVault', () => {
  it('keeps a value encrypted, in a file of this user alone, and gives it back', async () => {
    const vault = withKey()
    let changes = 0
    vault.onChange(() => changes++)
    await Promise.all([vault.set('TOKEN', 'hunter2!'), vault.set('OTHER', 'correct horse')])
    expect(changes).toBe(2)
    expect(vault.list().map(({ name, readable }) => [name, readable])).toEqual([
      ['OTHER', true],
      ['TOKEN', true],
    ])
    expect(withKey().value('TOKEN')).toBe('hunter2!')
    const text = await readFile(vault.file, 'utf8')
    expect(text).not.toContain('hunter2!')
    expect(text).not.toContain('horse')
    if (process.platform !== 'win32') expect((await stat(vault.file)).mode & 0o777).toBe(0o600)
  })

  it('without a key has names, removes, and says where values are set', async () => {
    await withKey().set('TOKEN', 'hunter2!')
    const vault = new SecretVault(folder, null)
    expect(vault.settable).toBe(false)
    expect(vault.list()).toMatchObject([{ name: 'TOKEN', readable: false }])
    expect(vault.value('TOKEN')).toBeUndefined()
    expect(vault.whyMissing('TOKEN').message).toContain('only the desktop application can read')
    expect(vault.whyMissing('TOKEN').fix).toContain('${TOKEN}')
    expect(vault.whyMissing('NONE').message).toContain('is not set')
    await expect(vault.set('TOKEN', 'another')).rejects.toMatchObject({
      hint: expect.stringContaining('${TOKEN}') as string,
    })
    expect(await vault.remove('TOKEN')).toBe(true)
    expect(await vault.remove('TOKEN')).toBe(false)
    expect(withKey().list()).toEqual([])
  })

  it('says of what another machine encrypted that it has to be set anew', async () => {
    await withKey('one:').set('TOKEN', 'hunter2!')
    const vault = withKey('two:')
    expect(vault.value('TOKEN')).toBeUndefined()
    expect(vault.list()).toMatchObject([{ readable: false }])
    expect(vault.whyMissing('TOKEN').message).toContain('cannot be decrypted any more')
  })

  it.each([
    ['', 'hunter2!', 'no name'],
    ['a b', 'hunter2!', 'no name'],
    ['__proto__ ', 'hunter2!', 'no name'],
    ['PIN', '123', 'fewer than 4'],
    ['NUL', 'ab\0cd', 'NUL'],
  ])('refuses %j', async (name, value, message) => {
    await expect(withKey().set(name, value)).rejects.toThrow(message)
    expect(withKey().list()).toEqual([])
  })

  it('does not write over a file that it cannot read', async () => {
    const vault = withKey()
    await writeFile(vault.file, '{ "torn')
    expect(() => vault.list()).toThrow('is no file of secrets')
    expect(vault.value('TOKEN')).toBeUndefined()
    await expect(vault.set('TOKEN', 'hunter2!')).rejects.toThrow('were not changed')
    expect(await readFile(vault.file, 'utf8')).toBe('{ "torn')
  })
})
