import { expect, it } from 'vitest'
import { VIA_META } from '../../src/shared/protocol/meta'
import { scripted } from '../backends/running-backend'
import { call, post } from '../peers/raw-client'
import { started } from '../eras/clients-by-hand'
import { startGateway } from './running-gateway'

const VIA = '1.1 sluice-0123 (inner), 1.1 "quoted" proxy'

const stdio = (...modes: string[]): Record<string, unknown> => ({ type: 'stdio', ...scripted(...modes) })

/** What the process was sent, as it wrote on stderr. */
const sentTo = (lines: readonly string[] | undefined, name: string): string =>
  lines?.find((line) => line.startsWith('got ') && line.includes(`"name":"${name}"`))?.slice(4) ?? ''

it.each([
  ['modern', ['modern']],
  ['legacy', []],
] as const)(
  'a %s process learns through which gateways a call came, and of other calls nothing',
  async (_era, modes) => {
    const { gateway, one, tap } = await started({ way: stdio(...modes) })
    const words = (name: string): string => sentTo(gateway.backends()[0]?.stderr?.(), name)
    await (await call(one(), 'tools/call', { name: 'plain', arguments: {} })).answer()
    await (await call(one(), 'tools/call', { name: 'carried', arguments: {} }, { headers: { via: VIA } })).answer()
    await expect.poll(() => words('carried')).not.toBe('')
    expect(words('plain')).not.toContain(VIA_META)
    expect(JSON.parse(words('carried'))).toMatchObject({ params: { _meta: { [VIA_META]: VIA } } })
    const edits = tap.of('call.routed').at(-1)?.edits
    expect(edits).toContainEqual({ what: 'meta', at: '/params/_meta/dev.sluice~1via', now: JSON.stringify(VIA) })
    expect(tap.of('upstream.sent').at(-1)?.body).toBe(words('carried'))
  },
)

it('a process that starts is not waited for by a call that came through another gateway: it may wait for that gateway', async () => {
  const backends = { slow: stdio('silent') }
  const timing = { cascadeMs: 60, discoverMs: 10_000, initializeMs: 10_000 }
  const { one } = await startGateway(backends, {}, undefined, { timing })
  const answer = await (await call(one(), 'tools/call', { name: 'x' }, { headers: { via: VIA } })).answer()
  expect(answer).toMatchObject({ error: { code: -32603 } })
  expect(JSON.stringify(answer)).toContain('does it lead back to the gateway that asks?')
})

it('a session of a client that is a gateway is not opened at a process that leads back', async () => {
  const { one } = await started({ way: stdio('loops') })
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'gateway', version: '0' } }
  const fields = { 'content-type': 'application/json', accept: 'application/json, text/event-stream', via: VIA }
  const opened = await post(one(), { jsonrpc: '2.0', id: 1, method: 'initialize', params }, fields)
  const session = { ...fields, 'mcp-session-id': String(opened.headers['mcp-session-id']) }
  const request = { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'x', arguments: {} } }
  const answer = await (await post(one(), request, session)).answer()
  expect(JSON.stringify(answer)).toContain('leads back to this gateway')
})
