import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))
const script = join(root, 'src', 'main', 'cli', 'sluice.ts')
const tsx = join(root, 'node_modules', 'tsx', 'dist', 'loader.mjs')

let home: string
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'sluice-home-'))
})
afterEach(() => rm(home, { recursive: true, force: true }))

interface Done {
  code: number
  stdout: string
  stderr: string
}

/** Runs `sluice config …` with a home of its own, in a project folder of its own. */
async function config(...given: string[]): Promise<Done> {
  const project = join(home, 'project')
  await mkdir(project, { recursive: true })
  const env = { PATH: process.env.PATH, HOME: home }
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      ['--import', tsx, script, 'config', ...given],
      { cwd: project, env },
      (error, stdout, stderr) => resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    )
    child.stdin?.end()
  })
}

describe('sluice config', () => {
  it('puts Sluice into a file that was not there, shows it first, and takes it out again', async () => {
    const file = join(home, '.cursor', 'mcp.json')
    const look = await config('add', '--client', 'cursor', '--dry-run')
    expect(look).toMatchObject({ code: 0, stderr: '' })
    expect(look.stdout).toContain(`--- /dev/null\n+++ ${file}\n@@ -0,0 +1,`)
    await expect(stat(file)).rejects.toThrow('ENOENT')

    expect(await config('add', '--client', 'cursor', '--yes')).toMatchObject({ code: 0 })
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({
      mcpServers: { sluice: { url: 'http://127.0.0.1:7420/mcp' } },
    })
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect((await config('add', '--client', 'cursor', '--yes')).stdout).toBe(`${file}: nothing to change\n`)

    expect(await config('remove', '--client', 'cursor', '--yes')).toMatchObject({ code: 0 })
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ mcpServers: {} })
  }, 60_000)

  it('keeps comments, other entries, the mode, the link, and a backup of what was there first', async () => {
    const target = join(home, 'dotfiles', 'mcp.json')
    const link = join(home, 'project', '.vscode', 'mcp.json')
    const text = '{\n  // ours\n  "servers": {\n    "a": { "type": "stdio" } // a\n  }\n}\n'
    for (const path of [target, link]) await mkdir(dirname(path), { recursive: true })
    await writeFile(target, text, { mode: 0o640 })
    await symlink(target, link)
    const given = ['--client', 'vscode', '--scope', 'project', '--name', 'mine', '--url', 'http://127.0.0.1:9/mcp/a']
    const added = await config('add', ...given, '--yes')
    expect(added.stdout).toContain(`as it was before: ${target}.sluice-backup`)
    const changed = await readFile(target, 'utf8')
    expect(changed).toContain('"a": { "type": "stdio" }, // a')
    expect(changed).toContain('"mine": {\n      "type": "http",\n      "url": "http://127.0.0.1:9/mcp/a"\n    }')
    expect((await stat(target)).mode & 0o777).toBe(0o640)
    await config('remove', ...given.slice(0, 6), '--yes')
    expect(await readFile(link, 'utf8')).toBe(text)
    expect(await readFile(`${target}.sluice-backup`, 'utf8')).toBe(text)
  }, 60_000)

  it('gives a client that only launches commands this program by its whole path', async () => {
    await config('add', '--client', 'claude-desktop', '--yes')
    const file = join(home, '.config', 'Claude', 'claude_desktop_config.json')
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({
      mcpServers: {
        sluice: { command: process.execPath, args: [script, 'connect', '--url', 'http://127.0.0.1:7420/mcp'] },
      },
    })
  }, 60_000)

  it('changes nothing without a yes, or in a file that cannot be read, and says why', async () => {
    expect(await config('add', '--client', 'gemini')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('give --yes') as unknown,
    })
    const file = join(home, '.gemini', 'settings.json')
    await mkdir(dirname(file))
    await writeFile(file, '{ "mcpServers": { "a" } }')
    const broken = await config('add', '--client', 'gemini', '--yes')
    expect(broken.code).toBe(2)
    expect(broken.stderr).toContain(`${file}: 1 problem`)
    await writeFile(file, Buffer.from([0x7b, 0xff, 0x7d]))
    expect((await config('add', '--client', 'gemini', '--yes')).stderr).toContain('it is not UTF-8')
    expect(await readFile(file)).toEqual(Buffer.from([0x7b, 0xff, 0x7d]))
  }, 60_000)

  it.each([
    ['an unknown client', ['add', '--client', 'none']],
    ['a client without files of projects', ['add', '--client', 'windsurf', '--scope', 'project', '--yes']],
    ['a URL that is none', ['add', '--client', 'cursor', '--url', 'file:///x']],
    ['a name that is none', ['remove', '--client', 'cursor', '--name', '__proto__']],
  ])('refuses %s with status 2', async (_what, given) => {
    const done = await config(...given)
    expect(done.code).toBe(2)
    expect(done.stderr).not.toBe('')
  })
})
