import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answerAppRequest, CONTENT_SECURITY_POLICY } from './app-files'

let root: string
let directory: string

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'sluice-app-files-'))
  directory = join(root, 'renderer')
  await mkdir(join(directory, 'assets'), { recursive: true })
  await writeFile(join(directory, 'index.html'), '<!doctype html>')
  await writeFile(join(directory, 'assets', 'main.js'), 'export {}')
  await writeFile(join(root, 'secret.json'), '{}')
  await symlink(join(root, 'secret.json'), join(directory, 'link.json'))
  await mkdir(join(root, 'renderer-other'))
  await writeFile(join(root, 'renderer-other', 'secret.json'), '{}')
})
afterAll(() => rm(root, { recursive: true }))

describe('files of the app scheme', () => {
  it.each([
    ['app://desk/', 'text/html; charset=utf-8', '<!doctype html>'],
    ['app://desk/index.html?token=1#x', 'text/html; charset=utf-8', '<!doctype html>'],
    ['app://desk/assets/main.js', 'text/javascript; charset=utf-8', 'export {}'],
  ])('%s is served with its type and the policy', async (url, type, text) => {
    const response = await answerAppRequest(directory, url)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe(type)
    expect(response.headers.get('content-security-policy')).toBe(CONTENT_SECURITY_POLICY)
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    expect(await response.text()).toBe(text)
  })

  it.each([
    'app://desk/missing.js',
    'app://desk/assets',
    'app://desk/index.exe',
    'app://other/index.html',
    'file:///etc/passwd',
    'https://desk/index.html',
    'no url',
    'app://desk/%00.html',
    'app://desk/%E0%A4%A',
    'app://desk/..%2fsecret.json',
    'app://desk/%2e%2e%2fsecret.json',
    'app://desk/..%5csecret.json',
    'app://desk/assets/..%2f..%2fsecret.json',
    'app://desk/..%2frenderer-other/secret.json',
    'app://desk/link.json',
  ])('%s is not found', async (url) => {
    expect((await answerAppRequest(directory, url)).status).toBe(404)
  })
})
