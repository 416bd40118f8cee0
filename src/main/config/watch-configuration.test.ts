import { mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Configuration } from '../../shared/config/schema'
import { NO_SECRETS, type SecretSource, type SecretUse } from '../../shared/config/secrets'
import { loadConfiguration } from './load-configuration'
import { watchConfiguration, type WatchOptions } from './watch-configuration'

let folder = ''
let file = ''
let stop: (() => void) | undefined
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-watch-'))
  file = join(folder, 'sluice.json')
})
afterEach(async () => {
  stop?.()
  stop = undefined
  await rm(folder, { recursive: true })
})

const withPort = (port: number): string => JSON.stringify({ gateway: { port } })

/** Watches, and hands out what was heard in order: a port for a change, a message for a problem. */
async function watched(
  options: WatchOptions = {},
): Promise<{ next(): Promise<number | string>; heard: (number | string)[] }> {
  const { configuration } = await loadConfiguration(file, {})
  const heard: (number | string)[] = []
  const waiting: (() => void)[] = []
  let taken = 0
  const hear = (what: number | string): void => {
    heard.push(what)
    waiting.shift()?.()
  }
  stop = watchConfiguration(
    file,
    {},
    {
      onChange: (changed) => hear(changed.gateway.port),
      onProblem: (error) => hear(error.problems[0]?.message ?? ''),
    },
    { current: configuration, debounceMs: 20, pollMs: 50, ...options },
  )
  return {
    heard,
    next: async () => {
      const index = taken++
      while (heard.length <= index) await new Promise<void>((resolve) => waiting.push(resolve))
      return heard[index] ?? ''
    },
  }
}

async function replace(text: string): Promise<void> {
  const other = join(folder, '.sluice.json.swp')
  await writeFile(other, text)
  await rename(other, file)
}

describe('watchConfiguration', () => {
  it('hears a change in place and, again and again, a replacement', async () => {
    await writeFile(file, withPort(1))
    const { next } = await watched()
    await writeFile(file, withPort(2))
    expect(await next()).toBe(2)
    await replace(withPort(3))
    expect(await next()).toBe(3)
    await rm(file)
    await writeFile(file, withPort(4))
    expect(await next()).toBe(4)
  })

  it('hears of the change that came between loading and watching', async () => {
    await writeFile(file, withPort(1))
    const { configuration } = await loadConfiguration(file, {})
    await writeFile(file, withPort(2))
    const { next } = await watched({ current: configuration })
    expect(await next()).toBe(2)
  })

  it('does not reload what says the same', async () => {
    await writeFile(file, withPort(1))
    const { next, heard } = await watched()
    await replace(withPort(1))
    await replace(`// a comment\n${withPort(1)}`)
    await replace(withPort(2))
    expect(await next()).toBe(2)
    expect(heard).toEqual([2])
  })

  it('tells of a problem once, and of its end', async () => {
    await writeFile(file, withPort(1))
    const { next, heard } = await watched()
    await replace('{ "gateway": ')
    expect(await next()).toBe('is not valid JSON: value expected')
    await replace(withPort(1))
    expect(await next()).toBe(1)
    await rm(file)
    expect(await next()).toBe('does not exist')
    await writeFile(file, withPort(1))
    expect(await next()).toBe(1)
    expect(heard).toHaveLength(4)
  })

  it('sees through a link whose target is in another folder', async () => {
    const elsewhere = await mkdtemp(join(tmpdir(), 'sluice-target-'))
    try {
      await writeFile(join(elsewhere, 'real.json'), withPort(1))
      await symlink(join(elsewhere, 'real.json'), file)
      const { next } = await watched()
      await writeFile(join(elsewhere, 'real.json'), withPort(22))
      expect(await next()).toBe(22)
    } finally {
      await rm(elsewhere, { recursive: true })
    }
  })

  it('reads the file again when secrets change, whose values are not in it', async () => {
    const text = JSON.stringify({ mcpServers: { one: { url: 'http://h/mcp', headers: { A: '${secret:T}' } } } })
    await writeFile(file, text)
    const values: Record<string, string> = {}
    const secrets: SecretSource = { ...NO_SECRETS, settable: true, value: (name) => values[name] }
    let changed = (): void => undefined
    const { configuration } = await loadConfiguration(file, {}, secrets)
    const waiting: number[] = []
    const applied = new Promise<unknown>((resolve) => {
      const listener = {
        onChange: (now: Configuration) => resolve(now.mcpServers.one),
        onProblem: (error: Error) => resolve(error),
        onSecrets: (use: SecretUse) => {
          waiting.push(use.waiting.length)
          // The first look has been taken: the secret comes now.
          if (waiting.length > 1) return
          values.T = 'hunter2!'
          changed()
        },
      }
      const onSecretsChanged = (listen: () => void) => {
        changed = listen
        return () => undefined
      }
      stop = watchConfiguration(file, {}, listener, { current: configuration, secrets, onSecretsChanged })
    })
    expect(await applied).toMatchObject({ headers: { A: 'hunter2!' } })
    expect(waiting).toEqual([1, 0])
  })
})
