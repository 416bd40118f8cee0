import { describe, expect, it } from 'vitest'
import type { BackendStatus } from '../../shared/api/contract'
import { backendCommands } from './backend-commands'

const backend = (name: string, more: Partial<BackendStatus> = {}): BackendStatus => ({
  name,
  type: 'http',
  endpoint: `/mcp/${name}`,
  era: null,
  health: 'ready',
  changedAt: 0,
  counts: { tools: 0, prompts: 0, resources: 0, resourceTemplates: 0 },
  ...more,
})
const STATUS = {
  configFile: '/home/dev/sluice.json',
  backends: [backend('weather'), backend('booking', { ofDemo: true })],
  off: [{ name: 'files', type: 'stdio', place: 1 }],
  waiting: [{ backend: 'github', secrets: ['TOKEN'] }],
}

const done: string[] = []
const change = {
  asking: false,
  edit: (name: string) => void done.push(`edit ${name}`),
  turn: (name: string, on: boolean) => void done.push(`turn ${name} ${on ? 'on' : 'off'}`),
  remove: (name: string) => void done.push(`remove ${name}`),
}

describe('backendCommands', () => {
  it('has one for each backend and each change that is possible with it', () => {
    const commands = backendCommands(STATUS, change)
    expect(commands.map(({ kind, name }) => `${kind} ${name}`)).toEqual([
      'Edit weather',
      'Turn off weather',
      'Remove weather',
      'Edit github',
      'Turn off github',
      'Remove github',
      'Edit files',
      'Turn on files',
      'Remove files',
    ])
    expect(new Set(commands.map(({ id }) => id)).size).toBe(commands.length)
    done.length = 0
    for (const { go } of commands) go()
    expect(done).toContain('turn weather off')
    expect(done).toContain('turn files on')
    expect(done).toContain('remove github')
    expect(done).toHaveLength(9)
  })

  it.each([
    ['nothing is known yet', null, change],
    ['there is no configuration file', { ...STATUS, configFile: null }, change],
    ['a change is being asked about', STATUS, { ...change, asking: true }],
  ])('has none while %s', (_when, status, changes) => {
    expect(backendCommands(status, changes)).toEqual([])
  })
})
