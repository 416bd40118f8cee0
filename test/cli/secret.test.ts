import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { startSluice } from '../../src/main/composition'
import { SecretVault } from '../../src/main/config/secrets/secret-vault'
import type { SecretCipher } from '../../src/main/config/secrets/secret-cipher'

const cipher: SecretCipher = {
  protection: () => 'system',
  keeper: () => 'a test',
  encrypt: (text) => Buffer.from(text).reverse(),
  decrypt: (bytes) => Buffer.from(bytes).reverse().toString(),
}

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-secret-'))
  const one = { url: 'http://127.0.0.1:9/mcp', headers: { 'X-Key': '${secret:TOKEN}' } }
  await writeFile(join(folder, 'c.json'), JSON.stringify({ gateway: { port: 0 }, mcpServers: { one } }))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const start = (secretCipher?: SecretCipher, heard: string[] = []) =>
  startSluice({
    configFile: join(folder, 'c.json'),
    dataDirectory: folder,
    captureFile: null,
    demo: false,
    ui: false,
    env: {},
    onNotice: ({ text }) => heard.push(text),
    ...(secretCipher && { secretCipher }),
  })

it('a run without a desktop refuses a configuration with secrets, and says what to do', async () => {
  await new SecretVault(folder, cipher).set('TOKEN', 'hunter2!')
  await expect(start()).rejects.toThrow(/X-Key.*\n.*only the desktop application can read.*\n.*\$\{TOKEN\}/)
})

it('a desktop starts without the backend, and takes it in when its secret is set', async () => {
  const heard: string[] = []
  const running = await start(cipher, heard)
  try {
    expect(heard.join('\n')).toContain('"one" is left out until its secrets are set in the desk: TOKEN')
    const desk = running.control.connect({ push: () => undefined, ready: () => true })
    const status = async () => (await desk.command('desk.status', {})) as { value: { backends: object[] } }
    expect(await status()).toMatchObject({ value: { backends: [], waiting: [{ backend: 'one', secrets: ['TOKEN'] }] } })
    const answer = await desk.command('secrets.set', { name: 'TOKEN', value: 'hunter2!' })
    expect(JSON.stringify(answer)).not.toContain('hunter2!')
    await expect.poll(status).toMatchObject({ value: { backends: [{ name: 'one' }], waiting: [] } })
    expect(await desk.command('secrets.list', {})).toMatchObject({
      value: { protection: 'system', secrets: [{ name: 'TOKEN', usedBy: ['one'], readable: true }] },
    })
  } finally {
    await running.close()
  }
})
