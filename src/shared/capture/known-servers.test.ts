import { expect, it } from 'vitest'
import type { BackendEvent } from './events'
import { KnownServers, MAX_RESULT } from './known-servers'

const probed = (more: Partial<BackendEvent>): BackendEvent => ({
  seq: 1,
  at: 0,
  kind: 'backend.probed',
  backend: 'weather',
  ...more,
})

it('keeps what was last said of a server, of one era', () => {
  const servers = new KnownServers()
  servers.take(probed({ era: 'legacy', serverInfo: { name: 'old' }, result: '{"a":1}' }))
  servers.take(probed({ era: 'legacy', serverInfo: { name: 'newer', version: '2' } }))
  servers.take(probed({ era: 'legacy', health: 'down' }))
  expect(servers.of('weather')).toEqual({
    era: 'legacy',
    serverInfo: { name: 'newer', version: '2' },
    result: '{"a":1}',
  })
  servers.take(probed({ era: 'modern', serverInfo: { name: 'newest' } }))
  expect(new KnownServers(servers.entries()).of('weather')).toEqual({ era: 'modern', serverInfo: { name: 'newest' } })
  expect(servers.of('constructor')).toBeUndefined()
})

it('has bounds', () => {
  const servers = new KnownServers()
  for (let index = 0; index < 1_000; index++)
    servers.take(probed({ backend: `b${index}`, result: 'x'.repeat(MAX_RESULT + 1), serverInfo: { name: 'n' } }))
  expect(servers.entries()).toHaveLength(100)
  expect(servers.of('b0')).toEqual({ serverInfo: { name: 'n' } })
})
