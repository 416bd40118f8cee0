import { expect, it, onTestFinished } from 'vitest'
import { modernRequest, post } from '../peers/raw-client'
import { startV2Http } from '../peers/v2-http'
import { listening } from './listening-backend'
import { configuration, startGateway, type RecordingTap } from './running-gateway'

/** How often what a backend offers was learned. */
const learned = (tap: RecordingTap): number => tap.of('backend.catalog').length

it('a modern backend is listened to while somebody watches, and not otherwise', async () => {
  const { backend, opened } = await listening()
  const { gateway, tap } = await startGateway({ b: backend })
  await tap.until('backend.catalog')
  const unwatch = [gateway.watch(), gateway.watch()]
  const { request, say } = await opened()
  expect(request.params).toMatchObject({
    notifications: { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true },
    _meta: { 'io.modelcontextprotocol/clientInfo': { name: 'sluice' } },
  })
  // What changed before anybody watched was not heard.
  await tap.until('backend.catalog', 2)
  say('notifications/tools/list_changed')
  await tap.until('backend.catalog', 3)
  expect(tap.of('call.received')).toEqual([])
  unwatch[0]?.()
  expect(request.isAbandoned()).toBe(false)
  unwatch[1]?.()
  await request.abandoned
  expect(backend.of('subscriptions/listen')).toHaveLength(1)
})

it('is listened to again when the stream broke, and learned anew', async () => {
  const { backend, opened } = await listening()
  const { gateway, tap } = await startGateway({ b: backend })
  await tap.until('backend.catalog')
  onTestFinished(gateway.watch())
  const first = await opened()
  await tap.until('backend.catalog', 2)
  first.stream.destroy()
  await opened()
  await tap.until('backend.catalog', 3)
})

it('is let go when it is taken out of the configuration', async () => {
  const { backend, opened } = await listening()
  const { gateway, tap } = await startGateway({ b: backend })
  await tap.until('backend.catalog')
  onTestFinished(gateway.watch())
  const { request } = await opened()
  gateway.apply(configuration({}))
  await request.abandoned
  expect(request.isAbandoned()).toBe(true)
})

it('that comes up later, or is back, is listened to then', async () => {
  const peer = await startV2Http()
  const { port } = new URL(peer.url)
  const { gateway, tap, one } = await startGateway({ peer: { url: peer.url } })
  onTestFinished(gateway.watch())
  await tap.until('backend.catalog')
  await peer.close()
  const call = async (name: string): Promise<number> => {
    const { body, headers } = modernRequest('tools/call', { name, arguments: {} })
    const answer = await post(one(), body, headers)
    return (await answer.answer()).error === undefined ? 0 : 1
  }
  expect(await call('bump')).toBe(1)
  const again = await startV2Http(Number(port))
  onTestFinished(() => again.close())
  await expect.poll(() => call('echo'), { timeout: 10_000 }).toBe(0)
  const before = learned(tap)
  await expect
    .poll(
      async () => {
        await call('bump')
        return learned(tap)
      },
      // A stream that broke is opened again after a second at the earliest.
      { timeout: 10_000 },
    )
    .toBeGreaterThan(before + 1)
})
