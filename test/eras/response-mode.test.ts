import { expect, it } from 'vitest'
import { startV1Http } from '../peers/v1-http'
import { startV2Http } from '../peers/v2-http'
import { closing, openSession, started } from './clients-by-hand'

it.each([
  ['legacy', startV1Http],
  ['modern', startV2Http],
] as const)('mode "sse" streams every answer to a legacy client, too: a %s backend', async (_era, start) => {
  const { all, one } = await started({ peer: { url: (await closing(start())).url } }, { responseMode: 'sse' })
  for (const [url, name] of [
    [all, 'peer__echo'],
    [one(), 'echo'],
  ] as const) {
    const session = await openSession(url)
    const called = session.request(1, 'tools/call', { name, arguments: { text: 'x' } })
    expect((await called.head).headers['content-type']).toBe('text/event-stream')
    const [priming, answer] = [await called.nextFrame(), await called.nextFrame()]
    // The stream begins with where and when it can be taken up again (2025-11-25 basic/transports).
    expect(priming).toMatchObject({ data: '', id: expect.any(String) as string })
    expect(JSON.parse(answer?.data ?? '')).toMatchObject({ id: 1, result: { content: [{ text: 'x' }] } })
    expect((await session.request(2, 'tools/list').head).headers['content-type']).toBe('text/event-stream')
  }
})

it('a stream of a revision without resumption begins with the answer; the priming event of the others names a pause', async () => {
  const { one } = await started({ peer: { url: (await closing(startV1Http())).url } }, { responseMode: 'sse' })
  const beginning = async (version: string): Promise<string> => {
    const session = await openSession(one(), { version })
    return session.request(1, 'tools/call', { name: 'echo', arguments: { text: 'x' } }).text()
  }
  expect(await beginning('2025-11-25')).toMatch(/^id: \S+\nretry: 1000\ndata: \n\nid: /)
  expect(await beginning('2025-06-18')).toMatch(/^id: \S+\nevent: message\ndata: \{/)
})
