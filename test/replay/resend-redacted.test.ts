import { describe, expect, it } from 'vitest'
import { startBackend } from '../gateway/running-gateway'
import { serve, type Offer } from '../peers/scripted-server'
import { ask, call } from './mocking'
import { replayed, startRecorded, type Recorded } from './resending'

const account = (pin: string, unit: string): Offer => ({
  tools: {
    show: {
      descriptor: { annotations: { readOnlyHint: true } },
      call: ({ id }, reply) => {
        const structuredContent = { pin, unit }
        const params = { level: 'info', data: JSON.stringify(structuredContent) }
        const content = [{ type: 'text', text: JSON.stringify(structuredContent) }]
        const stream = reply.sse()
        stream.event({ jsonrpc: '2.0', method: 'notifications/message', params })
        stream.event({ jsonrpc: '2.0', id, result: { resultType: 'complete', content, structuredContent } })
        stream.end()
      },
    },
  },
})

async function against(offer: Offer, redactedKeys: string[]): Promise<Recorded> {
  const server = await startBackend(serve(offer))
  return startRecorded({ bank: { url: server.url } }, redactedKeys)
}

async function recorded(): Promise<Recorded> {
  const run = await against(account('1234', 'C'), ['pin'])
  await ask(run.one('bank'), call('show'))
  return run
}

describe('a capture with redacted keys that is sent again', () => {
  it('shows no difference to a server that only gives another secret, as text too', async () => {
    const report = await replayed(await recorded(), await against(account('987654321', 'C'), []))
    expect(report.groups).toEqual([])
    expect(report.counts).toMatchObject({ total: 1, same: 1 })
  })

  it('shows what changed beside the secret, and never the secret', async () => {
    const report = await replayed(await recorded(), await against(account('987654321', 'F'), []))
    // The text that repeats the structured content differs as that does, and is not told of a second time.
    expect(report.operations[0]?.rounds[0]?.differences).toEqual([
      { path: '/result/structuredContent/unit', was: 'C', now: 'F' },
      {
        path: '/frames/0/params/data',
        was: '{"pin":"«redacted 4»","unit":"C"}',
        now: '{"pin":"«redacted 16»","unit":"F"}',
      },
    ])
    expect(JSON.stringify(report)).not.toContain('987654321')
  })
})
