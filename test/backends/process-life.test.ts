import { realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { describe, expect, it } from 'vitest'
import {
  ANY_SIGNAL,
  eventually,
  isRunning,
  legacyCall,
  messagesOf,
  modernCall,
  partsOf,
  run,
  scripted,
  textResult,
  typescriptServer,
} from './running-backend'

describe('the life of a process', () => {
  it('calls end with "lost" when it dies, later ones wait for the next process', async () => {
    const { backend, activity, states } = run(scripted('modern'))
    await backend.discover()
    const other = partsOf(backend.exchange(modernCall('never'), ANY_SIGNAL))
    const parts = await partsOf(backend.exchange(modernCall('die'), ANY_SIGNAL))
    expect(parts.at(-1)).toEqual({ kind: 'ended', reason: 'lost', detail: 'the process exited with code 7' })
    expect((await other).at(-1)).toMatchObject({ reason: 'lost' })
    expect(messagesOf(await partsOf(backend.exchange(modernCall('again'), ANY_SIGNAL)))).toMatchObject([
      textResult('again'),
    ])
    await activity('exited', /process \d+ exited with code 7/)
    await activity('restarted', /process \d+/)
    expect(states.map(({ health }) => health)).toEqual(['ready', 'down', 'starting', 'ready'])
  })

  it('one that closes its output can answer nothing: its calls end, and it is started again', async () => {
    const { backend, activity } = run(scripted())
    const session = await backend.shared([])
    const parts = await partsOf(session.exchange(legacyCall('closes-output'), ANY_SIGNAL))
    expect(parts.at(-1)).toMatchObject({
      kind: 'ended',
      reason: 'lost',
      detail: expect.stringContaining('output') as string,
    })
    await activity('restarted')
    expect(messagesOf(await partsOf((await backend.shared([])).exchange(legacyCall('x'), ANY_SIGNAL)))).toMatchObject([
      textResult('x'),
    ])
  })

  it('what it said before its end counts', async () => {
    const { backend } = run(scripted('modern'))
    const parts = await partsOf(backend.exchange(modernCall('last-words'), ANY_SIGNAL))
    expect(messagesOf(parts)).toMatchObject([textResult('said before the end')])
  })

  it('one that fails at its start is down with its last words, and calls are refused', async () => {
    const { backend } = run(scripted('fails-at-start'), { timing: { restartPausesMs: [60_000] } })
    const state = await backend.discover()
    expect(state).toMatchObject({ health: 'down' })
    expect(state.reason).toMatch(/exited with code 3.*last on stderr: no configuration found/)
    expect((await partsOf(backend.exchange(modernCall('x'), ANY_SIGNAL))).at(-1)).toMatchObject({
      reason: 'refused',
      detail: expect.stringContaining('exited with code 3') as string,
    })
    await expect(backend.shared([])).rejects.toMatchObject({ reason: 'refused' })
  })

  it.each([
    [{ command: '/nowhere/program' }, /there is no program "\/nowhere\/program"/],
    [{ command: 'no-such-program', env: { PATH: '/empty' } }, /no program "no-such-program" \(PATH is \/empty\)/],
    [{ command: process.execPath, cwd: '/nowhere' }, /the folder \/nowhere \("cwd"\) does not exist/],
    [{ command: '/etc/passwd' }, /"\/etc\/passwd" may not be executed/],
  ])('%j says what is wrong', async (config, reason) => {
    const { backend } = run(config, { timing: { restartPausesMs: [60_000] } })
    const state = await backend.discover()
    expect(state).toMatchObject({ health: 'down' })
    expect(state.reason).toMatch(reason)
  })

  it('a call that is given up while the process starts is not sent', async () => {
    const { backend } = run(scripted('silent'))
    const abort = new AbortController()
    const parts = partsOf(backend.exchange(modernCall('x'), abort.signal))
    abort.abort()
    expect(await parts).toEqual([{ kind: 'ended', reason: 'cancelled', detail: 'cancelled before it was sent' }])
  })

  it('is started once, by whoever asks first: by hand, by one who hears of its end, or after the pause', async () => {
    const { backend, activities, activity, health } = run(scripted('modern'), { timing: { restartPausesMs: [100] } })
    await backend.discover()
    // Who hears of a state may ask at once.
    backend.onState(() => void backend.discover())
    const { text } = await activity('started')
    process.kill(Number(/process (\d+)/.exec(text)?.[1]), 'SIGKILL')
    await health('down')
    await health('ready')
    const pauseIsOver = new Promise((resolve) => setTimeout(resolve, 200))
    await pauseIsOver
    await backend.discover()
    expect(activities.filter(({ kind }) => kind === 'restarted')).toHaveLength(1)
  })

  it('is started again by hand, also out of a long pause', async () => {
    const { backend, activities } = run(scripted('modern'), { timing: { restartPausesMs: [60_000] } })
    await backend.discover()
    const lost = partsOf(backend.exchange(modernCall('never'), ANY_SIGNAL))
    await backend.restart?.()
    expect((await lost).at(-1)).toMatchObject({ reason: 'lost', detail: 'the server is started again by hand' })
    expect(backend.state.health).toBe('ready')
    await partsOf(backend.exchange(modernCall('die'), ANY_SIGNAL))
    expect(backend.state.health).toBe('down')
    await backend.restart?.()
    expect(backend.state.health).toBe('ready')
    expect(activities.filter(({ kind }) => kind === 'restarted')).toHaveLength(2)
  })

  it("gets environment, folder and arguments as configured, and nothing of Sluice's own", async () => {
    process.env.SLUICE_STATE_KEY = 'secret'
    const { backend } = run({ ...typescriptServer('v1-stdio.ts'), env: { GREETING: '${HOME} "a b"' }, cwd: tmpdir() })
    const session = await backend.shared([])
    const ask = async (name?: string): Promise<unknown[]> =>
      messagesOf(
        await partsOf(session.exchange(legacyCall('environment', name === undefined ? {} : { name }), ANY_SIGNAL)),
      )
    expect(await ask()).toMatchObject([textResult(realpathSync(tmpdir()))])
    expect(await ask('GREETING')).toMatchObject([textResult('${HOME} "a b"')])
    expect(await ask('SLUICE_STATE_KEY')).toMatchObject([textResult('(not set)')])
    expect(await ask('PATH')).toMatchObject([textResult(process.env.PATH ?? '')])
    delete process.env.SLUICE_STATE_KEY
  })

  it('finds its program in the PATH that it is given to search', async () => {
    const folder = process.execPath.slice(0, process.execPath.lastIndexOf('/'))
    const config = { ...scripted('modern'), command: 'node' }
    const { backend } = run(config, { searchPath: () => Promise.resolve(folder) })
    expect(await backend.discover()).toMatchObject({ health: 'ready' })
  })

  it('keeps the last 1000 lines of stderr', async () => {
    const { backend, activity } = run(scripted('modern', 'talkative'))
    await backend.discover()
    await activity('stderr', 'got ')
    const lines = backend.stderr?.() ?? []
    expect(lines).toHaveLength(1_000)
    expect(lines.at(-2)).toBe('line 1500')
  })
})

describe('the end of a process', () => {
  const pidOf = (text: string): number => Number(/\d+/.exec(text)?.[0])

  it('comes by its closed input', async () => {
    const { backend, activity } = run(scripted('modern'))
    await backend.discover()
    const { text } = await activity('started')
    await backend.close()
    expect(isRunning(pidOf(text))).toBe(false)
    await activity('exited', 'exited with code 0')
  })

  it('comes by SIGKILL when SIGTERM is ignored, for its children too', async () => {
    const { backend, activity } = run(scripted('modern', 'ignores-end', 'ignores-term', 'with-child'), {
      timing: { stopWaitMs: 50 },
    })
    await backend.discover()
    const child = pidOf((await activity('stderr', /^child/)).text)
    expect(isRunning(child)).toBe(true)
    await backend.close()
    await activity('exited', 'was ended by SIGKILL')
    await eventually(() => !isRunning(child))
  })

  it('takes the children of a process that died with it', async () => {
    const { backend, activity } = run(scripted('modern', 'with-child'), { timing: { restartPausesMs: [60_000] } })
    await backend.discover()
    const child = pidOf((await activity('stderr', /^child/)).text)
    await partsOf(backend.exchange(modernCall('die'), ANY_SIGNAL))
    await eventually(() => !isRunning(child))
  })

  it('waits for the calls under way when the backend is taken out', async () => {
    const { backend, activity } = run(scripted('modern'))
    await backend.discover()
    const abort = new AbortController()
    const parts = partsOf(backend.exchange(modernCall('never'), abort.signal))
    const retired = backend.retire()
    expect(await Promise.race([retired, Promise.resolve('under way')])).toBe('under way')
    abort.abort()
    await parts
    await retired
    await activity('exited')
  })
})
