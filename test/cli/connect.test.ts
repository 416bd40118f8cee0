import { once } from 'node:events'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client as ModernClient } from '@modelcontextprotocol/client'
import { StdioClientTransport as ModernTransport } from '@modelcontextprotocol/client/stdio'
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as LegacyTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { startGateway } from '../gateway/running-gateway'
import { modernRequest, send } from '../peers/raw-client'
import { startV2Http } from '../peers/v2-http'

const cwd = fileURLToPath(new URL('../../', import.meta.url))

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-connect-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const launch = (...more: string[]): { command: string; args: string[]; cwd: string; stderr: 'pipe' } => ({
  command: process.execPath,
  args: ['--import', 'tsx', join('src', 'main', 'cli', 'sluice.ts'), 'connect', ...more],
  cwd,
  stderr: 'pipe',
})

/** A port that nobody listens on. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

async function backendUrl(): Promise<string> {
  const peer = await startV2Http()
  onTestFinished(() => peer.close())
  return peer.url
}

async function textOf(client: ModernClient | LegacyClient, tool: string): Promise<string | undefined> {
  const result = await client.callTool({ name: tool, arguments: { text: 'héllo' } })
  return (result as { content: { text: string }[] }).content[0]?.text
}

describe('sluice connect', () => {
  it('serves a client that finds out the era by itself', async () => {
    const { all } = await startGateway({ peer: { url: await backendUrl() } })
    const client = new ModernClient(
      { name: 'auto', version: '1' },
      { versionNegotiation: { mode: 'auto', probe: { timeoutMs: 15_000 } } },
    )
    await client.connect(new ModernTransport(launch('--no-start', '--url', all)))
    onTestFinished(() => client.close())
    expect(client.getProtocolEra()).toBe('modern')
    expect(await textOf(client, 'peer__echo')).toBe('héllo')
  }, 60_000)

  it('starts a gateway when none answers, which ends with the client', async () => {
    const port = await freePort()
    const config = join(folder, 'sluice.json')
    await writeFile(config, JSON.stringify({ mcpServers: { peer: { url: await backendUrl() } } }))
    const data = join(folder, 'data')
    const transport = new LegacyTransport(
      launch('--url', `http://127.0.0.1:${port}/mcp/peer`, '--config', config, '--data', data),
    )
    let told = ''
    transport.stderr?.on('data', (chunk: Buffer) => (told += chunk.toString()))
    const client = new LegacyClient({ name: 'legacy', version: '1' })
    await client.connect(transport)
    expect(await textOf(client, 'echo')).toBe('héllo')
    expect(told).toContain(`started a gateway at http://127.0.0.1:${port}/mcp`)
    await client.close()
    await expect(fetch(`http://127.0.0.1:${port}/mcp`)).rejects.toThrow()
    expect(await readdir(join(data, 'captures'))).toHaveLength(1)
  }, 60_000)

  it('says in words that there is no gateway, or why none can be started', async () => {
    const port = await freePort()
    const refusal = async (...more: string[]): Promise<string> => {
      const client = new LegacyClient({ name: 'legacy', version: '1' })
      const connecting = client.connect(new LegacyTransport(launch('--url', `http://127.0.0.1:${port}/mcp`, ...more)))
      return connecting.then(
        () => 'connected',
        (error: unknown) => String(error),
      )
    }
    expect(await refusal('--no-start')).toContain('start it with: sluice serve')
    const config = join(folder, 'sluice.json')
    await writeFile(config, '{ "mcpServers": 7 }')
    expect(await refusal('--config', config, '--data', folder)).toContain(`none could be started: ${config}: 1 problem`)
  }, 60_000)

  it('as a backend of the gateway that it carries to is refused, and says so', async () => {
    const port = await freePort()
    const { command, args } = launch('--url', `http://127.0.0.1:${port}/mcp`)
    const self = { type: 'stdio', command, args, cwd }
    const { gateway, one, tap } = await startGateway({ self }, { port })
    expect(gateway.base).toBe(`http://127.0.0.1:${port}`)
    const looped = /backend "self" leads back to this gateway, by its url or as a "sluice connect"/
    await expect.poll(() => gateway.backends()[0]?.state.reason, { timeout: 50_000 }).toMatch(looped)
    const { body, headers } = modernRequest('tools/call', { name: 'x', arguments: {} })
    const answer = await send(one('self'), body, headers).answer()
    expect(JSON.stringify(answer)).toMatch(/leads back to this gateway/)
    // Neither a gateway of their own, nor calls without end.
    expect(tap.of('call.received').length).toBeLessThan(20)
  }, 60_000)

  it('as a backend of two gateways that it carries from one to the other is found out', async () => {
    const [here, there] = [await freePort(), await freePort()]
    const to = (port: number): Record<string, unknown> => {
      const { command, args } = launch('--url', `http://127.0.0.1:${port}/mcp`)
      return { type: 'stdio', command, args, cwd }
    }
    const one = await startGateway({ other: to(there) }, { port: here })
    const other = await startGateway({ one: to(here) }, { port: there })
    const noises = (): string[] =>
      [...one.tap.of('backend.noise'), ...other.tap.of('backend.noise')].map(({ text = '' }) => text)
    await expect
      .poll(noises, { timeout: 50_000 })
      .toContainEqual(expect.stringContaining('it leads back to this gateway'))
    for (const { all } of [one, other]) {
      const { body, headers } = modernRequest('tools/list')
      expect(await send(all, body, headers).answer()).toMatchObject({ result: { tools: [] } })
    }
    expect(one.tap.of('call.received').length + other.tap.of('call.received').length).toBeLessThan(200)
  }, 60_000)
})
