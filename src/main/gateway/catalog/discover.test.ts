import { expect, it } from 'vitest'
import { bench, failed, type FakeBackend, type Reply } from '../../../../test/catalog/fake-backends'
import type { JsonObject } from '../../../shared/protocol/json-rpc'

const saying = (capabilities: JsonObject, more: JsonObject = {}): FakeBackend => ({
  replies: {
    'server/discover': () => ({
      resultType: 'complete',
      supportedVersions: ['2026-07-28'],
      capabilities,
      ttlMs: 500,
      cacheScope: 'public',
      ...more,
    }),
  },
})
const answering = (reply: Reply, state: FakeBackend['state'] = {}): FakeBackend => ({
  replies: { 'server/discover': () => reply },
  state,
})
const discover = async (fakes: Record<string, FakeBackend>, listTimeoutMs = 1_000): Promise<JsonObject> => {
  const { catalog, ask } = bench(fakes, { listTimeoutMs })
  return JSON.parse((await catalog.discover(ask)).resultText) as JsonObject
}

it('is one server: united capabilities, joined instructions, its own name', async () => {
  expect(
    await discover({
      a: saying({ tools: { listChanged: true }, logging: {}, extensions: { 'x/y': {} } }, { instructions: 'Use a.' }),
      b: saying({ tools: {}, resources: { subscribe: true, listChanged: false }, experimental: {} }, { ttlMs: 9 }),
      c: saying({ completions: {} }, { instructions: 'Use c.', cacheScope: 'private' }),
    }),
  ).toEqual({
    resultType: 'complete',
    supportedVersions: ['2026-07-28'],
    capabilities: { tools: { listChanged: true }, resources: { subscribe: true }, completions: {}, logging: {} },
    instructions: '# a\n\nUse a.\n\n# c\n\nUse c.',
    ttlMs: 9,
    cacheScope: 'private',
    _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'sluice', version: '1.2.3' } },
  })
})

it.each<[string, Record<string, FakeBackend>]>([
  ['no backend', {}],
  ['a backend of which nothing is known', { a: answering(failed('down')) }],
])('%s: the lists are announced, since they may fill', async (_, fakes) => {
  expect((await discover(fakes)).capabilities).toEqual({ tools: {}, prompts: {}, resources: {} })
})

it.each<[string, Reply, string]>([
  ['down', failed('it is down'), 'it is down'],
  ['silent', 'silence', 'did not answer server/discover within 20 ms'],
  ['nonsense', '5', 'answered server/discover with nonsense'],
  ['odd', '{"capabilities":[]}', 'answered server/discover with nonsense'],
])('a backend that is %s is named, and what was known of it stays', async (_, reply, reason) => {
  const result = await discover(
    {
      bad: answering(reply, { discovered: { capabilities: { prompts: { listChanged: true } } } }),
      good: saying({ tools: {} }),
    },
    20,
  )
  expect(result.capabilities).toEqual({ tools: {}, prompts: { listChanged: true } })
  expect(result.ttlMs).toBe(0)
  expect(result._meta).toMatchObject({
    'dev.sluice/missing': [{ backend: 'bad', reason: expect.stringContaining(reason) }],
  })
})

it('asks again only when it must', async () => {
  const { catalog, ask, questions, clock } = bench({ a: saying({}), b: saying({}, { cacheScope: 'private' }) })
  await catalog.discover(ask)
  clock.now = 100
  const again = await catalog.discover(ask)
  expect(questions).toEqual(['a server/discover', 'b server/discover', 'b server/discover'])
  expect(again.asked).toEqual(['b'])
  expect(JSON.parse(again.resultText)).toMatchObject({ ttlMs: 400, cacheScope: 'private' })
  catalog.expire('a')
  clock.now = 200
  expect((await catalog.discover(ask)).asked).toEqual(['a', 'b'])
})

it('remembers the capabilities of a backend that went away', async () => {
  let isUp = true
  const up = saying({ prompts: { listChanged: true } }, { cacheScope: 'private', instructions: 'For one client.' })
  const { catalog, ask } = bench({
    a: {
      replies: {
        'server/discover': (params) => (isUp ? (up.replies['server/discover']?.(params) ?? '') : failed('down')),
      },
    },
  })
  await catalog.discover(ask)
  isUp = false
  const result = JSON.parse((await catalog.discover(ask)).resultText) as JsonObject
  expect(result.capabilities).toEqual({ prompts: { listChanged: true } })
  expect(result).not.toHaveProperty('instructions')
})
