import { createMcpHandler, McpServer } from '@modelcontextprotocol/server'
import { toNodeHandler } from '@modelcontextprotocol/node'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { BackendOptions } from '../../src/main/backends/backend-options'
import { startStub, type Stub, type StubHandler, type StubReply } from '../peers/stub-backend'
import { startV1Http } from '../peers/v1-http'
import { ANY_SIGNAL, eventually, messagesOf, modernCall, partsOf, run, type Run } from './running-backend'

async function stub(
  handler: StubHandler,
  config: object = {},
  options: Partial<BackendOptions> = {},
): Promise<{ server: Stub } & Run> {
  const server = await startStub(handler)
  onTestFinished(() => server.close())
  return { server, ...run({ url: server.url, ...config }, options) }
}

const NEVER_AGAIN = { timing: { probePausesMs: [3_600_000] } }
const discovery = { supportedVersions: ['2026-07-28'], capabilities: {}, ttlMs: 0, cacheScope: 'private' }
const session = { protocolVersion: '2025-06-18', capabilities: {}, serverInfo: { name: 'old', version: '1' } }

/** Answers by method; everything else like a server that knows nothing. */
const answering =
  (answers: Record<string, (reply: StubReply) => unknown>): StubHandler =>
  (request, reply) => {
    const answer = answers[request.method]
    if (answer !== undefined) answer(reply)
    else if (request.httpMethod === 'GET') reply.page(405, 'text/plain', '')
    else if (request.id === undefined) reply.response.writeHead(202).end()
    else reply.error(404, { code: -32601, message: 'Method not found' })
  }

const error =
  (status: number, code: number, message = 'no') =>
  (reply: StubReply): void =>
    reply.error(status, { code, message })

describe('the era of an HTTP backend', () => {
  const initialize = (reply: StubReply): void => reply.result(session)
  const cases: [name: string, answers: Record<string, (reply: StubReply) => unknown>, expected: object][] = [
    ['a discovery', { 'server/discover': (reply) => reply.result(discovery) }, { health: 'ready', era: 'modern' }],
    ...[-32020, -32021, -32022].map((code): (typeof cases)[number] => [
      `error ${code} with 400 never falls back`,
      { 'server/discover': error(400, code), initialize },
      { health: 'degraded', era: 'modern' },
    ]),
    [
      'error -32022 with 200',
      { 'server/discover': error(200, -32022), initialize },
      { health: 'degraded', era: 'modern' },
    ],
    ['-32601', { 'server/discover': error(200, -32601), initialize }, { health: 'ready', era: 'legacy' }],
    ['-32601 with 404', { 'server/discover': error(404, -32601), initialize }, { health: 'ready', era: 'legacy' }],
    ['400 of a session', { 'server/discover': error(400, -32000), initialize }, { health: 'ready', era: 'legacy' }],
    ['a 405 page', { 'server/discover': (reply) => reply.page(405, 'text/html', 'x'), initialize }, { era: 'legacy' }],
    [
      'an empty 400',
      { 'server/discover': (reply) => reply.page(400, 'text/plain', ''), initialize },
      { era: 'legacy' },
    ],
    ['a result of anything', { 'server/discover': (reply) => reply.result({}), initialize }, { era: 'legacy' }],
    [
      'a discovery of legacy versions only',
      { 'server/discover': (reply) => reply.result({ ...discovery, supportedVersions: ['2025-11-25'] }), initialize },
      { health: 'ready', era: 'legacy' },
    ],
    [
      'a discovery of unknown versions',
      { 'server/discover': (reply) => reply.result({ ...discovery, supportedVersions: ['2027-01-01'] }), initialize },
      { health: 'degraded', era: 'modern' },
    ],
    [
      'neither',
      {},
      {
        health: 'degraded',
        era: null,
        reason: expect.stringMatching(/server\/discover with error -32601.*initialize with error -32601/) as string,
      },
    ],
    [
      'a page for both',
      {
        'server/discover': (reply) => reply.page(404, 'text/html', 'x'),
        initialize: (reply) => reply.page(404, 'text/html', 'x'),
      },
      { health: 'degraded', era: null, reason: expect.stringContaining('"type": "sse"') as string },
    ],
    [
      '500 is no verdict',
      { 'server/discover': (reply) => reply.page(500, 'text/plain', 'x'), initialize },
      { health: 'degraded', era: null },
    ],
    [
      '503 with an error is no verdict',
      { 'server/discover': error(503, -32603), initialize },
      { health: 'degraded', era: null },
    ],
    [
      'a redirect is no verdict',
      { 'server/discover': (reply) => reply.page(302, 'text/plain', ''), initialize },
      { health: 'degraded', era: null, reason: expect.stringContaining('correct its "url"') as string },
    ],
    [
      'a reset is no verdict',
      { 'server/discover': (reply) => reply.reset(), initialize },
      { health: 'down', era: null },
    ],
    [
      '403 is no verdict',
      { 'server/discover': (reply) => reply.page(403, 'text/plain', ''), initialize },
      { health: 'needs-sign-in', era: null },
    ],
    [
      '401 only for initialize',
      { initialize: (reply) => reply.response.writeHead(401, { 'www-authenticate': 'Basic' }).end() },
      { health: 'needs-sign-in', era: null, challenge: 'Basic' },
    ],
    [
      'a version that is not known',
      { initialize: (reply) => reply.result({ ...session, protocolVersion: '1999-01-01' }) },
      { health: 'degraded', era: null },
    ],
  ]
  it.each(cases)('%s', async (_name, answers, expected) => {
    const { backend, server } = await stub(answering(answers), {}, NEVER_AGAIN)
    expect(await backend.discover()).toMatchObject(expected)
    const state = backend.state
    if (state.era === 'modern' || state.health === 'down') expect(server.of('initialize')).toHaveLength(0)
  })

  it('silence is no verdict', async () => {
    const options = { timing: { ...NEVER_AGAIN.timing, discoverMs: 50 } }
    const { backend, server } = await stub(() => undefined, {}, options)
    expect(await backend.discover()).toMatchObject({
      health: 'down',
      era: null,
      reason: 'no answer to server/discover within 0.05 s',
    })
    expect(server.requests).toHaveLength(1)
  })

  it('401 shows the challenge and what to configure, and is not asked again and again', async () => {
    const challenge = 'Bearer resource_metadata="https://x/.well-known/oauth-protected-resource"'
    const refuse = (reply: StubReply): unknown => reply.response.writeHead(401, { 'www-authenticate': challenge }).end()
    const { backend, server } = await stub((_, reply) => void refuse(reply), {}, { timing: { probePausesMs: [1] } })
    const state = await backend.discover()
    expect(state).toMatchObject({ health: 'needs-sign-in', challenge })
    expect(state.reason).toMatch(/HTTP 401.*Bearer resource_metadata.*"headers".*"passHeaders"/)
    await partsOf(backend.exchange(modernCall('x'), ANY_SIGNAL))
    expect(server.requests).toHaveLength(2)
  })

  it("a client's credentials tell the era where the backend's own do not", async () => {
    const { backend } = await stub((request, reply) => {
      if (request.headers.authorization !== 'Bearer ada') reply.page(401, 'text/plain', '')
      else reply.result(discovery)
    })
    expect(await backend.discover()).toMatchObject({ health: 'needs-sign-in', era: null })
    expect(await backend.discover([['authorization', 'Bearer ada']])).toMatchObject({ health: 'ready', era: 'modern' })
    expect(await backend.discover()).toMatchObject({ health: 'needs-sign-in', era: 'modern' })
  })

  it("one client's probe does not stand for another's", async () => {
    const { backend } = await stub((request, reply) => {
      if (request.headers.authorization !== 'Bearer ada') reply.page(401, 'text/plain', '')
      else reply.result(discovery)
    })
    const [own, ada] = await Promise.all([backend.discover(), backend.discover([['authorization', 'Bearer ada']])])
    expect([own.health, ada.health]).toEqual(['needs-sign-in', 'ready'])
  })

  it('a pinned era is not asked for', async () => {
    const legacy = await stub(answering({ initialize }), { era: 'legacy' })
    expect(legacy.backend.state.era).toBe('legacy')
    expect(await legacy.backend.discover()).toMatchObject({ health: 'ready', era: 'legacy' })
    expect(legacy.server.of('server/discover')).toHaveLength(0)
    const modern = await stub(answering({ initialize }), { era: 'modern' }, NEVER_AGAIN)
    expect(await modern.backend.discover()).toMatchObject({ health: 'degraded', era: 'modern' })
    expect(modern.server.of('initialize')).toHaveLength(0)
  })
})

describe('an HTTP backend that changes', () => {
  it('comes back by itself', async () => {
    let broken = true
    const { backend, health } = await stub((_, reply) =>
      broken ? reply.page(503, 'text/plain', '') : reply.result(discovery),
    )
    expect(await backend.discover()).toMatchObject({ health: 'degraded', era: null })
    broken = false
    await health('ready')
  })

  it('is down when nothing listens, and found by its traffic', async () => {
    const server = await startStub((_, reply) => reply.result(discovery))
    const { backend } = run({ url: server.url }, NEVER_AGAIN)
    await backend.discover()
    await server.close()
    expect((await partsOf(backend.exchange(modernCall('x'), ANY_SIGNAL))).at(-1)).toMatchObject({ reason: 'refused' })
    expect(backend.state).toMatchObject({ health: 'down', era: 'modern' })
    const again = await startStub((_, reply) => reply.result(discovery), server.port)
    onTestFinished(() => again.close())
    await partsOf(backend.exchange(modernCall('x'), ANY_SIGNAL))
    await eventually(() => backend.state.health === 'ready')
  })

  it('an answer that only the other era gives has it asked anew, and says that nothing was done', async () => {
    const { backend, server } = await stub((_, reply) => reply.result(discovery))
    await backend.discover()
    const old = await startV1Http()
    onTestFinished(() => old.close())
    server.script(
      answering({
        'server/discover': error(400, -32000, 'Bad Request: Server not initialized'),
        'tools/call': error(400, -32000, 'Bad Request: Server not initialized'),
        initialize: (reply) => reply.result(session),
      }),
    )
    const parts = await partsOf(backend.exchange(modernCall('x'), ANY_SIGNAL))
    expect(parts.at(-1)).toEqual({ kind: 'ended', reason: 'complete', wrongEra: true })
    expect(await backend.discover()).toMatchObject({ health: 'ready', era: 'legacy' })
    expect(server.of('initialize')).toHaveLength(1)
    expect(backend.sharesConnection).toBe(true)
  })

  it('a legacy server that became modern is found out, and its session left', async () => {
    const { backend, server } = await stub(answering({ initialize: (reply) => reply.result(session) }))
    await backend.discover()
    const before = await backend.shared([])
    server.script((request, reply) => {
      if (request.method === 'server/discover') reply.result(discovery)
      else if (request.httpMethod === 'POST') reply.error(400, { code: -32020, message: 'header missing' })
      else reply.page(405, 'text/plain', '')
    })
    const request = modernCall('x')
    expect((await partsOf(before.exchange(request, ANY_SIGNAL))).at(-1)).toMatchObject({ wrongEra: true })
    expect(await backend.discover()).toMatchObject({ health: 'ready', era: 'modern' })
    await eventually(() => !before.open)
  })

  it('a session that answers a ping with 401 wants credentials', async () => {
    const answers: Record<string, (reply: StubReply) => unknown> = { initialize: (reply) => reply.result(session) }
    const { backend } = await stub(answering(answers))
    expect(await backend.discover()).toMatchObject({ health: 'ready', era: 'legacy' })
    answers.ping = (reply) => reply.response.writeHead(401, { 'www-authenticate': 'Bearer' }).end()
    expect(await backend.discover()).toMatchObject({ health: 'needs-sign-in', era: 'legacy', challenge: 'Bearer' })
    answers.ping = (reply) => reply.result({})
    expect(await backend.discover()).toMatchObject({ health: 'ready', era: 'legacy' })
  })

  it.each([
    [404, -32601],
    [400, -32602],
    [200, -32000],
    [400, -32022],
  ])('%i with %i is no sign of the other era', async (status, code) => {
    const { backend } = await stub(
      answering({ 'server/discover': (reply) => reply.result(discovery), 'tools/call': error(status, code) }),
    )
    await backend.discover()
    expect((await partsOf(backend.exchange(modernCall('x'), ANY_SIGNAL))).at(-1)).toEqual({
      kind: 'ended',
      reason: 'complete',
    })
  })
})

describe('a server of both eras (SDK 2)', () => {
  it('is modern', async () => {
    const handler = createMcpHandler(() => new McpServer({ name: 'both', version: '1.0.0' }))
    const handle = toNodeHandler(handler)
    const server = createServer((request, response) => void handle(request, response))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => {
      server.close()
      server.closeAllConnections()
    })
    const { backend } = run({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp` })
    expect(await backend.discover()).toMatchObject({ health: 'ready', era: 'modern', serverInfo: { name: 'both' } })
    const parts = await partsOf(
      backend.exchange(modernCall('', {}, { method: 'server/discover', params: {} }), ANY_SIGNAL),
    )
    expect(messagesOf(parts)).toMatchObject([{ result: { supportedVersions: ['2026-07-28'] } }])
  })
})
