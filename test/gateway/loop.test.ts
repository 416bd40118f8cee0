import { createServer, type AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createGateway } from '../../src/main/gateway/gateway'
import { call } from '../peers/raw-client'
import { configuration, keys, RecordingTap } from './running-gateway'

/** A port that was free a moment ago: a configuration that points at itself must know its port before it listens. */
async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

async function start(
  port: number,
  backends: Record<string, string>,
  era = 'auto',
): Promise<{ base: string; tap: RecordingTap }> {
  const tap = new RecordingTap()
  const mcpServers = Object.fromEntries(Object.entries(backends).map(([name, url]) => [name, { url, era }]))
  const gateway = createGateway({
    configuration: configuration(mcpServers, { port }),
    tap,
    stateKeys: keys(),
    version: '0',
  })
  await gateway.listen()
  onTestFinished(() => gateway.close(0))
  return { base: gateway.base, tap }
}

describe('a configuration that leads back to the gateway', () => {
  for (const path of ['/mcp', '/mcp/self']) {
    it(`its own ${path} as a backend ends in an error that says so, not in a recursion`, async () => {
      const port = await freePort()
      const { base, tap } = await start(port, { self: `http://127.0.0.1:${port}${path}` })
      const answer = await (await call(`${base}/mcp/self`, 'tools/list', {}, { id: 'x' })).answer()
      expect(JSON.stringify(answer)).toMatch(/self/)
      await tap.until('call.ended', tap.of('call.received').length)
      expect(tap.of('call.received').length).toBeLessThan(50)
    })
  }

  it('two gateways that point at each other are caught, too', async () => {
    const [one, other] = [await freePort(), await freePort()]
    const first = await start(one, { other: `http://127.0.0.1:${other}/mcp/one` })
    const second = await start(other, { one: `http://127.0.0.1:${one}/mcp/other` })
    const answer = await (await call(`${first.base}/mcp/other`, 'tools/list', {}, { id: 'x' })).answer()
    expect(answer).toMatchObject({ id: 'x', error: {} })
    expect(first.tap.of('call.received').length + second.tap.of('call.received').length).toBeLessThan(50)
  })

  it('two that take each other for legacy servers are caught, and both say which backend it is', async () => {
    const [one, other] = [await freePort(), await freePort()]
    const first = await start(one, { other: `http://127.0.0.1:${other}/mcp` }, 'legacy')
    const second = await start(other, { one: `http://127.0.0.1:${one}/mcp` }, 'legacy')
    for (const { base } of [first, second]) {
      const answer = await (await call(`${base}/mcp`, 'tools/list', {}, { id: 'x' })).answer()
      expect(answer).toMatchObject({ id: 'x', result: { tools: [] } })
    }
    const told = [...first.tap.of('backend.noise'), ...second.tap.of('backend.noise')].map(({ text }) => text)
    expect(told.join()).toContain('it leads back to this gateway')
    expect(first.tap.of('call.received').length + second.tap.of('call.received').length).toBeLessThan(100)
  })
})
