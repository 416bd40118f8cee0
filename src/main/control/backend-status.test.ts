import { expect, it } from 'vitest'
import type { ControlSources } from './control-sources'
import { backendStatus } from './backend-status'

it.each([
  ['https://user:hunter22@h/mcp', 'https://«redacted 16»@h/mcp'],
  ['https://h/mcp?api_key=hunter22&city=Oslo', 'https://h/mcp?api_key=«redacted 8»&city=Oslo'],
  ['https://h/mcp?key=hunter22', 'https://h/mcp?key=«redacted 8»'],
  ['https://h/mcp?city=Oslo', 'https://h/mcp?city=Oslo'],
])('the address %s is told as %s', (url, told) => {
  const state = { health: 'ready', era: 'modern', changedAt: 0 }
  const gateway = {
    base: 'http://127.0.0.1:1',
    backends: () => [{ name: 'a', type: 'http', url, state }],
    counts: () => null,
  } as unknown as ControlSources['gateway']
  expect(backendStatus(gateway, 'a', () => false)?.url).toBe(told)
})
