import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import type { CallEvent } from '../../shared/capture/events'
import { foldCall } from '../../shared/capture/fold'
import { DeferralNote } from './client-signs'
import { LEFT } from './lanes-layout'

const EVENTS: CallEvent[] = [
  {
    seq: 1,
    at: 0,
    call: 1,
    kind: 'call.received',
    endpoint: '/mcp',
    era: 'modern',
    http: { method: 'POST', path: '/mcp', headers: [] },
    body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
    deferralWindowMs: 15_000,
    responseMode: 'auto',
  },
  {
    seq: 2,
    at: 1_000,
    call: 1,
    kind: 'response.committed',
    form: 'sse',
    status: 200,
    cause: 'notification',
    headers: [],
  },
]

/** On an axis of a pixel to 10 µs that begins at `from`. */
const noteFrom = (from: number): string =>
  renderToStaticMarkup(
    <DeferralNote record={foldCall(EVENTS)} y={0} x={(offset) => LEFT + (offset - from) / 10} room={600} />,
  )

it('tells of the deferral window where some of it is in sight', () => {
  expect(noteFrom(0)).toContain('deferral window 1.0 ms · JSON was possible')
  expect(noteFrom(900)).toContain('deferral window')
})

it('tells nothing of it where the axis begins behind it', () => {
  expect(noteFrom(1_100)).toBe('')
})
