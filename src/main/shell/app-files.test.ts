import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answerAppRequest, CONTENT_SECURITY_POLICY, fileFor } from './app-files'

let root: string
let directory: string

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'sluice-app-files-'))
  directory = join(root, 'renderer')
  await mkdir(join(directory, 'assets'), { recursive: true })
  await writeFile(join(directory, 'index.html'), '<!doctype html>')
  await writeFile(join(directory, 'assets', 'main.js'), 'export {}')
  await writeFile(join(root, 'secret.json'), '{}')
  await mkdir(join(root, 'renderer-other'))
  await writeFile(join(root, 'renderer-other', 'secret.json'), '{}')
})
afterAll(() => rm(root, { recursive: true }))

describe('files of the app scheme', () => {
  it.each([
    ['app://desk/', 'index.html'],
    ['app://desk/index.html?token=1#x', 'index.html'],
    ['app://desk/assets/main.js', 'assets/main.js'],
  ])('%s is %s', (url, name) => {
    expect(fileFor(directory, url)).toBe(join(directory, name))
  })

  it.each([
    'app://other/index.html',
    'file:///etc/passwd',
    'https://desk/index.html',
    'no url',
    'app://desk/%00.html',
    'app://desk/%E0%A4%A',
    'app://desk/..%2fsecret.json',
    'app://desk/%2e%2e%2fsecret.json',
    'app://desk/assets/..%2f..%2fsecret.json',
    'app://desk/..%2frenderer-other/secret.json',
  ])('%s is none', (url) => {
    expect(fileFor(directory, url)).toBeNull()
  })

  it('are served with their type and the policy', async () => {
    const response = await answerAppRequest(directory, 'app://desk/assets/main.js')
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect(response.headers.get('content-security-policy')).toBe(CONTENT_SECURITY_POLICY)
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    expect(await response.text()).toBe('export {}')
  })

  it.each(['app://desk/missing.js', 'app://desk/assets', 'app://desk/..%2fsecret.json', 'app://desk/index.exe'])(
    '%s is not found',
    async (url) => {
      expect((await answerAppRequest(directory, url)).status).toBe(404)
    },
  )
})
