import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createProcessRegistry, type ProcessRegistry } from './process-registry'
import { processStartTime } from './process-start-time'

const STUBBORN = "process.on('SIGTERM', () => undefined); console.log('up'); setInterval(() => undefined, 1000)"

async function registry(): Promise<{ folder: string; problems: string[]; registry: ProcessRegistry }> {
  const folder = join(await mkdtemp(join(tmpdir(), 'registry-')), 'processes')
  onTestFinished(() => rm(join(folder, '..'), { recursive: true }))
  const problems: string[] = []
  return { folder, problems, registry: createProcessRegistry(folder, (problem) => problems.push(problem)) }
}

async function stubborn(): Promise<ChildProcess & { pid: number }> {
  const child = spawn(process.execPath, ['-e', STUBBORN], { detached: true })
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child.stdout, 'data')
  return child as ChildProcess & { pid: number }
}

/** The file that a crashed run has left behind. */
async function leave(folder: string, change: (text: string) => string): Promise<void> {
  const own = join(folder, `${process.pid}.json`)
  const text = await readFile(own, 'utf8')
  await rm(own)
  await writeFile(join(folder, '999999.json'), change(text))
}

const crashed = (text: string): string => text.replace(/"owner":\{[^}]*\}/, '"owner":{"pid":999999,"startTime":"then"}')

describe('the registry of processes', () => {
  it('writes down what runs, and nothing when nothing does', async () => {
    const { folder, registry: own } = await registry()
    const child = await stubborn()
    await own.add(child.pid, 'server --x')
    const [file] = await readdir(folder)
    expect(file).toBe(`${process.pid}.json`)
    expect(JSON.parse(await readFile(join(folder, file ?? ''), 'utf8'))).toEqual({
      owner: { pid: process.pid, startTime: await processStartTime(process.pid) },
      processes: [{ pid: child.pid, startTime: await processStartTime(child.pid), command: 'server --x' }],
    })
    own.remove(child.pid)
    expect(await readdir(folder)).toEqual([])
  })

  it('ends what a crashed run has left, also what ignores SIGTERM', async () => {
    const { folder, registry: own } = await registry()
    const child = await stubborn()
    await own.add(child.pid, 'server')
    await leave(folder, crashed)
    const ended = once(child, 'exit')
    expect(await own.reapOrphans()).toEqual([{ pid: child.pid, command: 'server' }])
    expect(await ended).toEqual([null, 'SIGKILL'])
    expect(await readdir(folder)).toEqual([])
  })

  it('leaves alone what belongs to a run that is alive, and what only has the same id', async () => {
    const { folder, registry: own } = await registry()
    const child = await stubborn()
    await own.add(child.pid, 'server')
    expect(await own.reapOrphans()).toEqual([])
    await leave(folder, (text) => crashed(text).replace(/("processes":.*"startTime":")[^"]*/, '$1another'))
    expect(await own.reapOrphans()).toEqual([])
    expect(await processStartTime(child.pid)).toBeDefined()
    expect(await readdir(folder)).toEqual([])
  })

  it('says what it cannot read or write, and goes on', async () => {
    const { folder, problems, registry: own } = await registry()
    expect(await own.reapOrphans()).toEqual([])
    await writeFile(folder, 'a file where the folder should be')
    const child = await stubborn()
    await own.add(child.pid, 'server')
    expect(await own.reapOrphans()).toEqual([])
    expect(problems).toEqual([expect.stringContaining('cannot be written'), expect.stringContaining('cannot be read')])
    await rm(folder)
    await own.add(child.pid, 'server')
    await writeFile(join(folder, '1.json'), 'no JSON')
    expect(await own.reapOrphans()).toEqual([])
    expect(problems).toHaveLength(3)
    expect(existsSync(join(folder, '1.json'))).toBe(false)
  })

  it('a process that has ended already is not written down', async () => {
    const { folder, registry: own } = await registry()
    const child = spawn(process.execPath, ['-e', ''])
    await once(child, 'exit')
    await own.add(child.pid ?? 0, 'server')
    expect(existsSync(folder)).toBe(false)
  })
})
