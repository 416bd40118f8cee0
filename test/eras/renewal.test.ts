import { expect, it } from 'vitest'
import { startV1Http } from '../peers/v1-http'
import { callTool, closing, data, listen, openSession, started } from './clients-by-hand'

/** What was asked of a legacy HTTP backend is asked again when it has forgotten its sessions. */
const UPDATED = 'notifications/resources/updated'

it('a legacy client keeps its subscriptions and its log level', async () => {
  const peer = await closing(startV1Http())
  const running = await started({ peer: { url: peer.url } })
  const session = await openSession(running.one())
  const stream = session.get()
  await stream.head
  await session.request(1, 'logging/setLevel', { level: 'error' }).answer()
  await session.request(2, 'resources/subscribe', { uri: 'test://one' }).answer()
  await session.request(3, 'resources/subscribe', { uri: 'test://two' }).answer()
  await session.request(4, 'resources/unsubscribe', { uri: 'test://two' }).answer()
  peer.forget()
  await session.request(5, 'tools/call', { name: 'echo', arguments: { text: 'x' } }).answer()
  // While the backend was away its changes went unheard.
  expect((await data(stream)).message).toMatchObject({ method: 'notifications/tools/list_changed' })
  expect((await data(stream)).message).toMatchObject({ method: UPDATED, params: { uri: 'test://one' } })
  await session.request(6, 'tools/call', { name: 'touch', arguments: { uri: 'test://one' } }).answer()
  expect((await data(stream)).message).toMatchObject({ method: UPDATED, params: { uri: 'test://one' } })
  const watched = await session.request(7, 'tools/call', { name: 'watched', arguments: {} }).answer()
  expect(watched.result).toMatchObject({ content: [{ text: 'test://one' }] })
  expect(peer.seen.filter((what) => what === 'POST logging/setLevel')).toHaveLength(2)
  const [renewed] = await running.tap.until('backend.restarted')
  expect(renewed).toMatchObject({
    text: 'the server had forgotten the session, and a new one was begun; its log level was set again; its resource was subscribed to again',
  })
})

it('a modern client keeps its subscription, and the catalog is learned anew', async () => {
  const peer = await closing(startV1Http())
  const running = await started({ peer: { url: peer.url } })
  const stream = listen(running.all, { resourceSubscriptions: ['test://one'] }, 1)
  await stream.next()
  const before = running.tap.of('backend.catalog').length
  peer.forget()
  await callTool(running.all, 'peer__echo', { text: 'x' })
  expect(await stream.next()).toMatchObject({ method: UPDATED, params: { uri: 'test://one' } })
  await callTool(running.all, 'peer__touch', { uri: 'test://one' })
  expect(await stream.next()).toMatchObject({ method: UPDATED, params: { uri: 'test://one' } })
  await running.tap.until('backend.catalog', before + 1)
})

it('a subscription that the server no longer takes is named', async () => {
  const peer = await closing(startV1Http())
  const running = await started({ peer: { url: peer.url } })
  const session = await openSession(running.one())
  await session.request(1, 'resources/subscribe', { uri: 'test://one' }).answer()
  peer.forget()
  peer.refuse('resources/subscribe')
  await session.request(2, 'tools/call', { name: 'echo', arguments: { text: 'x' } }).answer()
  const [renewed] = await running.tap.until('backend.restarted')
  expect(renewed).toMatchObject({
    text: 'the server had forgotten the session, and a new one was begun; 1 of its 1 resources could not be subscribed to again (test://one): error -32603: refused',
  })
})
