import { expect, it } from 'vitest'
import { startV1Http } from '../peers/v1-http'
import { startV2Http } from '../peers/v2-http'
import { callTool, closing, data, openSession, started } from './clients-by-hand'

/** A legacy client that is away for longer than `gateway.pushLingerMs` does not keep the streams of backends open. */
const LISTS = 'notifications/tools/list_changed'

it('a modern backend is listened to while the client follows its stream, and again when it is back', async () => {
  const peer = await closing(startV2Http())
  const running = await started({ peer: { url: peer.url } }, { pushLingerMs: 30 })
  const session = await openSession(running.one())
  const before = running.tap.of('upstream.head').length
  const stream = session.get()
  await running.tap.until('upstream.head', before + 1)
  await callTool(running.one(), 'bump')
  const { id } = await data(stream)
  const follow = running.tap.of('response.committed').find(({ cause }) => cause === 'mode')
  const listening = running.tap.of('upstream.sent').find(({ call }) => call === follow?.call)
  const endings = (): unknown[] =>
    running.tap.of('upstream.ended').filter(({ exchange }) => exchange === listening?.exchange)
  expect(endings()).toEqual([])
  stream.destroy()
  await expect.poll(endings).toMatchObject([{ reason: 'cancelled' }])
  await callTool(running.one(), 'bump')
  const back = session.get(id)
  // What changed while it was away is not known: it is told to look again.
  const told = [await data(back), await data(back)].map(({ message }) => message.method)
  expect(told).toEqual([LISTS, 'notifications/resources/list_changed'])
  await callTool(running.one(), 'bump')
  expect((await data(back)).message.method).toBe(LISTS)
})

it('the stream of its session with a legacy backend is closed, and opened by a call or a stream of the client', async () => {
  const peer = await closing(startV1Http({ resumable: true }))
  const running = await started({ peer: { url: peer.url } }, { pushLingerMs: 30 })
  const session = await openSession(running.one())
  await expect.poll(() => peer.streams()).toBe(1)
  const stream = session.get()
  await expect.poll(() => peer.streams()).toBe(2)
  stream.destroy()
  await expect.poll(() => peer.streams()).toBe(1)
  const call = session.request(1, 'tools/call', { name: 'wait', arguments: {} })
  await expect.poll(() => peer.streams()).toBe(2)
  await session.post({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }).text()
  await call.text()
  await expect.poll(() => peer.streams()).toBe(1)
  const back = session.get()
  await expect.poll(() => peer.streams()).toBe(2)
  expect((await data(back)).message.method).toBe(LISTS)
  await callTool(running.one(), 'bump')
  await session.request(2, 'tools/call', { name: 'bump', arguments: {} }).answer()
  expect((await data(back)).message.method).toBe(LISTS)
  expect(peer.seen.filter((what) => what === 'POST initialize')).toHaveLength(2)
})

it('a client that comes back in time notices nothing', async () => {
  const peer = await closing(startV2Http())
  const running = await started({ peer: { url: peer.url } }, { pushLingerMs: 60_000 })
  const session = await openSession(running.one())
  const stream = session.get()
  await stream.head
  await running.tap.until('upstream.head', running.tap.of('upstream.head').length + 1)
  await callTool(running.one(), 'bump')
  const { id } = await data(stream)
  stream.destroy()
  await callTool(running.one(), 'bump')
  const back = session.get(id)
  expect((await data(back)).message.method).toBe(LISTS)
  expect(running.tap.of('upstream.ended').filter(({ reason }) => reason === 'cancelled')).toEqual([])
})
