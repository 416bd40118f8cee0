import { expect, it } from 'vitest'
import { startBackend, startGateway } from '../gateway/running-gateway'
import { serve } from '../peers/scripted-server'
import { startV1Http } from '../peers/v1-http'
import { closing, data, openSession, started, textOf } from './clients-by-hand'

/** A modern server that asks whatever the client said that it answers, which the SDK's does not. */
const asking = serve({
  tools: {
    ask: {
      call: (_, reply) =>
        reply.result({
          resultType: 'input_required',
          inputRequests: { name: { method: 'elicitation/create', params: { message: 'Name?', requestedSchema: {} } } },
        }),
    },
  },
})

it('what a legacy client did not declare is not asked of it: its call ends at once, with the reason', async () => {
  const backend = await startBackend(asking)
  const running = await startGateway({ b: backend })
  const mute = await openSession(running.one())
  const { error } = await mute.request(1, 'tools/call', { name: 'ask', arguments: {} }).answer()
  expect(error).toMatchObject({
    code: -32603,
    message: expect.stringContaining('by elicitation/create, which the client did not declare at initialize') as string,
    data: { backend: 'b', reason: 'rounds' },
  })
  expect(backend.of('tools/call')).toHaveLength(1)
  expect(running.tap.of('request.answered')).toEqual([])
})

it('a posted answer is recorded with the call that it is for', async () => {
  const peer = await closing(startV1Http())
  const running = await started({ peer: { url: peer.url } })
  const session = await openSession(running.one(), { capabilities: { elicitation: {} } })
  const call = session.request('c', 'tools/call', { name: 'elicit', arguments: {} })
  const { id } = (await data(call)).message
  const number = running.tap.of('call.received').at(-1)?.call
  await session.post({ jsonrpc: '2.0', id, result: { action: 'accept', content: { name: 'Ada' } } }).text()
  expect(textOf((await data(call)).message)).toBe('accept {"name":"Ada"}')
  await session.post({ jsonrpc: '2.0', id, result: {} }).text()
  const said = running.tap.of('call.ended').map(({ detail }) => detail)
  expect(said).toContain(`The answer to what call #${number} asked this client.`)
  expect(said).toContain('A response to nothing that was asked: ignored.')
})

it("a client's progress on what it was asked reaches the backend that asked, under that one's own token", async () => {
  const peers = await Promise.all([closing(startV1Http()), closing(startV1Http())])
  const running = await started({ a: { url: peers[0].url }, b: { url: peers[1].url } })
  const session = await openSession(running.all, { capabilities: { elicitation: {} } })
  // Both servers count their tokens from the same number.
  const calls = ['a__attentive', 'b__attentive'].map((name) => session.request(name, 'tools/call', { name }))
  const asked = await Promise.all(
    calls.map(async (call) => {
      const { id, params } = (await data(call)).message as unknown as Asked
      return { id, token: params._meta.progressToken }
    }),
  )
  expect(new Set(asked.map(({ token }) => token)).size).toBe(2)
  const progress = (of: number, value: number): Promise<string> => {
    const params = { progressToken: asked[of]?.token, progress: value }
    return session.post({ jsonrpc: '2.0', method: 'notifications/progress', params }).text()
  }
  for (const [of, value] of [
    [0, 1],
    [1, 5],
    [0, 2],
    [1, 6],
  ] as const)
    await progress(of, value)
  await session.post({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 1 } }).text()
  for (const { id } of asked) await session.post({ jsonrpc: '2.0', id, result: { action: 'decline' } }).text()
  const answers = await Promise.all(calls.map(async (call) => textOf((await data(call)).message)))
  expect(answers).toEqual(['1 2', '5 6'])
  await progress(0, 3)
  const said = running.tap.of('call.ended').map(({ detail }) => detail ?? '')
  expect(said.filter((words) => words.startsWith('Progress on what call #') && words.includes('"a"'))).toHaveLength(2)
  expect(said.filter((words) => words.startsWith('Progress on nothing'))).toHaveLength(2)
})

interface Asked {
  id: string
  params: { _meta: { progressToken: string } }
}
