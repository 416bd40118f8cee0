import { expect, it } from 'vitest'
import { startsProgram } from './what-is-written'

it.each<[string, object, boolean]>([
  ['a command', { command: 'npx' }, true],
  ['no command yet', { type: 'stdio' }, false],
  ['an empty command', { command: '' }, false],
  ['a command that is no text', { command: 5 }, false],
  ['what is turned off', { command: 'npx', disabled: true }, false],
  ['a URL', { url: 'http://127.0.0.1:3000/mcp' }, false],
])('an entry with %s starts a program: %j, %s', (_what, entry, starts) => {
  expect(startsProgram({ ...entry }, true, [])).toBe(starts)
})
