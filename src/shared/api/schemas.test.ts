import { expect, it } from 'vitest'
import { REQUEST_SCHEMAS } from './schemas'

it.each([
  ['config.backend', {}],
  ['config.editBackend', { newName: 'one', entry: '{}', version: '1' }],
  ['config.turnBackend', { on: true }],
  ['config.removeBackend', {}],
] as const)('%s takes any name that an entry has that is turned off', (command, rest) => {
  for (const name of ['', 'x'.repeat(5_000)])
    expect(REQUEST_SCHEMAS[command].safeParse({ name, ...rest }).success).toBe(true)
})
