import { describe, expect, it } from 'vitest'
import { startGateway } from '../gateway/running-gateway'
import { startV1Http } from '../peers/v1-http'
import { FILE, mocked } from './mocking'
import { MemoryCaptures } from './memory-captures'
import { canAsk, CLIENTS, closing, connectLegacy, connectModern, SERVERS, visit, type Connect } from './visitors'

/** The published SDKs' servers are recorded and replayed, and the same clients get the same from both. */
async function recordedBy(connect: Connect, server: Record<string, unknown>, asks: boolean) {
  const live = await startGateway({ peer: server })
  const session = await connect(live.one())
  const were = await visit(session, asks)
  await session.close()
  const captures = new MemoryCaptures()
  captures.set(FILE, live.tap.events)
  return { were, captures, live }
}

describe.each(SERVERS)('a replayed server of %s', (name, start) => {
  it.each(CLIENTS)('is to the %s that was recorded what the server was', async (client, connect) => {
    const asks = canAsk(name, client)
    const { were, captures, live } = await recordedBy(connect, await start(), asks)
    const mock = await mocked(captures, {}, 'peer')
    const session = await connect(mock.one())
    expect(await visit(session, asks)).toEqual(were)
    await session.close()
    expect(mock.gateway.backends()[0]?.state.era).toBe(live.gateway.backends()[0]?.state.era)
  })

  it.each(CLIENTS)('is to a %s what it was to a client of the other era', async (client, connect) => {
    const [, other] = CLIENTS.find(([one]) => one !== client) ?? ['', connectModern]
    const asks = name.startsWith('modern')
    const { were, captures } = await recordedBy(other, await start(), asks)
    const mock = await mocked(captures, {}, 'peer')
    const session = await connect(mock.one())
    expect(await visit(session, asks)).toEqual(were)
    await session.close()
  })
})

describe('a replayed legacy server', () => {
  async function recordedLegacy(keep: (kind: string) => boolean) {
    const { captures, live } = await recordedBy(connectLegacy, { url: (await closing(startV1Http())).url }, false)
    captures.set(
      FILE,
      live.tap.events.filter(({ kind }) => keep(kind)),
    )
    const mock = await mocked(captures, {}, 'peer')
    await (await connectLegacy(mock.one())).close()
    const [was, is] = [live, mock].map(({ gateway }) => gateway.backends()[0]?.state)
    return { was, is }
  }

  it('says of itself what the server said, and not what the gateway told clients', async () => {
    const { was, is } = await recordedLegacy(() => true)
    expect(was?.initialized).toBeDefined()
    expect(is?.initialized).toEqual(was?.initialized)
    expect(is?.serverInfo).toEqual(was?.serverInfo)
  })

  it('offers what clients were offered where the capture has its calls only, under no name of the gateway', async () => {
    const { was, is } = await recordedLegacy((kind) => !kind.startsWith('backend.'))
    expect(is?.initialized?.capabilities).toEqual(was?.initialized?.capabilities)
    expect(is?.initialized?.serverInfo).toBeUndefined()
    expect(is?.initialized?.raw.serverInfo).toEqual({ name: 'recorded', version: 'recorded' })
  })
})

describe('a replayed legacy server that asks in the middle of a call', () => {
  it('ends the call with the difference when the answer is another one', async () => {
    const { captures } = await recordedBy(connectLegacy, { url: (await closing(startV1Http())).url }, true)
    const mock = await mocked(captures, {}, 'peer')
    const session = await connectLegacy(mock.one(), 'Grace')
    await expect(session.call('elicit')).rejects.toMatchObject({
      code: -32602,
      data: { difference: { key: 'elicitation/create', pointer: '/content/name', was: 'Ada', now: 'Grace' } },
    })
    await session.close()
  })

  it('goes on as recorded with "any"', async () => {
    const { captures } = await recordedBy(connectLegacy, { url: (await closing(startV1Http())).url }, true)
    const mock = await mocked(captures, { answers: 'any' }, 'peer')
    const session = await connectLegacy(mock.one(), 'Grace')
    expect(await session.call('elicit')).toEqual([{ type: 'text', text: 'accept {"name":"Ada"}' }])
    expect(mock.tap.events.find(({ kind }) => kind === 'backend.noise')).toMatchObject({
      text: expect.stringContaining('"Ada" was recorded, "Grace" was given') as unknown,
    })
    await session.close()
  })
})
