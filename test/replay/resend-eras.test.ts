import { describe, expect, it } from 'vitest'
import { partsBy } from '../../src/shared/capture/call-selection'
import { parseFilter } from '../../src/shared/capture/filter'
import { startV1Http } from '../peers/v1-http'
import { startV2Http } from '../peers/v2-http'
import { ask } from './mocking'
import { plan, replayed, startRecorded, type Recorded } from './resending'
import { canAsk, CLIENTS, closing, connectLegacy, SERVERS, visit } from './visitors'

/** What clients of both eras asked the published SDKs' servers is asked again of the unchanged servers. */
describe.each(SERVERS)('a capture of a server of %s', (name, start) => {
  it.each(CLIENTS)('recorded with a %s, shows no difference when nothing has changed', async (client, connect) => {
    const server = await start()
    const run = await startRecorded({ peer: server })
    const session = await connect(run.one('peer'))
    await visit(session, canAsk(name, client))
    await session.close()
    const report = await replayed(run, await startRecorded({ peer: server }))
    expect(report.groups).toEqual([])
    expect(report.counts).toMatchObject({ different: 0, failed: 0 })
    const sent = report.operations
      .filter(({ outcome }) => outcome === 'same')
      .map(({ method, name: tool }) => tool ?? method)
    const asked = ['tools/list', 'echo', 'echo', 'progress', 'big', ...(canAsk(name, client) ? ['elicit'] : [])]
    expect(sent).toEqual(expect.arrayContaining(asked))
  })
})

describe('a legacy server that asks in the middle of a call', () => {
  async function recorded(answer: string): Promise<{ run: Recorded; server: { url: string } }> {
    const server = { url: (await closing(startV1Http())).url }
    const run = await startRecorded({ peer: server })
    const session = await connectLegacy(run.one('peer'), answer)
    await session.call('elicit')
    await session.close()
    return { run, server }
  }

  it('is answered as it was, through a session of a legacy client', async () => {
    const { run, server } = await recorded('Grace')
    const now = await startRecorded({ peer: server })
    const report = await replayed(run, now)
    expect(report.groups).toEqual([])
    const operation = report.operations.find(({ name }) => name === 'elicit')
    expect(operation?.outcome).toBe('same')
    const events = await now.recorder.events(operation?.rounds[0]?.newCall ?? 0)
    const answer = events.find(({ kind }) => kind === 'request.answered')
    expect(answer).toMatchObject({ by: 'client', raw: expect.stringContaining('"name":"Grace"') as unknown })
  })
})

it('sends nothing to the others where the gateway answered for the backend that is meant', async () => {
  const servers = { old: { url: (await closing(startV1Http())).url }, new: { url: (await closing(startV2Http())).url } }
  const run = await startRecorded(servers)
  // What a legacy server is was said when it was initialized, and is not asked again.
  await ask(run.all, { method: 'server/discover' })
  const now = await startRecorded(servers)
  const sentTo = async (filter: string): Promise<unknown> => {
    const isPart = partsBy(parseFilter(filter), { now: 0, bodyHits: new Map() })
    const { operations } = await plan(run, now, { isPart })
    return operations.filter(({ problem }) => problem === null).map(({ backend }) => backend)
  }
  expect(await sentTo('backend:new')).toEqual(['new'])
  expect(await sentTo('backend:old')).toEqual([])
})
