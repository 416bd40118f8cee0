import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command } from 'commander'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { openCapture } from '../../src/main/capture/opened/open-capture'
import { addCaptureCommand } from '../../src/main/cli/capture'
import { addReplayCommand } from '../../src/main/cli/replay'
import { CallScript, log, PROTOCOL_META, progress, result } from '../capture/call-script'
import { captureText } from '../capture/capture-text'
import { startStub, type Stub } from '../peers/stub-backend'
import { serve, text, type Offer } from '../peers/scripted-server'

let folder: string
let server: Stub
let asked = 0

const offer: Offer = {
  tools: {
    forecast: {
      descriptor: { annotations: { readOnlyHint: true } },
      call: (_request, reply) => {
        asked++
        const structuredContent = { unit: 'C', at: '2026-11-29T20:00:00Z', requestId: asked }
        reply.result({ ...text(JSON.stringify(structuredContent)), structuredContent })
      },
    },
  },
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-flags-'))
  server = await startStub(serve(offer))
  await configure('sluice.json', { weather: { url: server.url } })
})
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

const file = (name: string): string => join(folder, name)

function configure(name: string, mcpServers: object): Promise<void> {
  return writeFile(file(name), JSON.stringify({ gateway: { port: 0 }, mcpServers }))
}

async function sluice(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const printed = { stdout: '', stderr: '' }
  const out = vi.spyOn(console, 'log').mockImplementation((line: string) => void (printed.stdout += `${line}\n`))
  const error = vi.spyOn(console, 'error').mockImplementation((line: string) => void (printed.stderr += `${line}\n`))
  const program = new Command()
  addReplayCommand(program)
  addCaptureCommand(program)
  try {
    await program.parseAsync(args, { from: 'user' })
    return { code: Number(process.exitCode ?? 0), ...printed }
  } finally {
    process.exitCode = undefined
    out.mockRestore()
    error.mockRestore()
  }
}

const replay = (capture: string, config: string, ...more: string[]) =>
  sluice('replay', file(capture), '--config', file(config), '--data', file('data'), '--json', ...more)

function summaryOf(stdout: string): Record<string, unknown> {
  return JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '') as Record<string, unknown>
}

describe('sluice replay', () => {
  it('records with --capture, and counts times only with --exact', async () => {
    const structuredContent = { unit: 'C', at: '2026-11-29T19:00:00Z', requestId: 0 }
    const answer = result({ ...text(JSON.stringify(structuredContent)), structuredContent })
    const script = new CallScript().received().routed().sent().head('application/json')
    script.upstream(JSON.stringify(answer), 'body').upstreamEnded().ended()
    await writeFile(file('was.ndjson'), captureText(script.events))
    const ignore = ['--ignore', '/structuredContent/requestId']
    const plain = await replay('was.ndjson', 'sluice.json', ...ignore, '--capture', file('run.ndjson'))
    expect(summaryOf(plain.stdout)).toMatchObject({ same: 1, different: 0 })
    expect(plain.code).toBe(0)
    const kept = await openCapture(file('run.ndjson'))
    const { calls } = kept.index.list(0, 9)
    await kept.close()
    // The list is asked for to know what is read-only.
    expect(calls).toMatchObject([
      { method: 'tools/list', backend: 'weather', outcome: 'result' },
      { method: 'tools/call', backend: 'weather', outcome: 'result' },
    ])
    const exact = await replay('was.ndjson', 'sluice.json', ...ignore, '--exact')
    const paths = exact.stdout.split('\n').flatMap((line) => /"path":"([^"]*)"/.exec(line)?.slice(1) ?? [])
    expect(paths).toContain('/result/structuredContent/at')
    expect(paths).toContain('/result/content/0/text')
    expect(exact.code).toBe(1)
  })

  it('counts in its plan what would be sent where, and nothing else', async () => {
    const sent = (call: number, backend: string, seq: number) =>
      new CallScript({ call, id: call, backend }, seq).received().routed().sent(call)
    const events = [
      ...sent(1, 'weather', 0).event(result(), 1).upstreamEnded(1).ended().events,
      // Nobody waited for these.
      ...sent(2, 'weather', 10).ended('cancelled', 'client').events,
      ...sent(3, 'gone', 20).ended('cancelled', 'client').events,
    ]
    await writeFile(file('plan.ndjson'), captureText(events))
    const { code, stdout, stderr } = await sluice(
      ...['replay', file('plan.ndjson'), '--config', file('sluice.json'), '--data', file('data'), '--dry-run'],
    )
    expect(stdout.split('\n').slice(0, 3)).toEqual([
      '1 operation would be sent, 0 of them only with your consent; 2 would not',
      '  weather → weather: 1',
      'sent:',
    ])
    // Nothing is to be sent to the backend that is not there.
    expect([code, stderr]).toEqual([0, ''])
  })

  it('sends nothing when it could not write what comes of it', async () => {
    const script = new CallScript().received().routed().sent().event(result()).upstreamEnded().ended()
    await writeFile(file('sent.ndjson'), captureText(script.events))
    const before = asked
    const { code, stderr } = await replay('sent.ndjson', 'sluice.json', '--junit', file('nowhere/report.xml'))
    expect([code, stderr]).toEqual([2, expect.stringContaining(`the folder of ${file('nowhere/report.xml')}`)])
    expect(asked).toBe(before)
    await replay('sent.ndjson', 'sluice.json')
    expect(asked).toBe(before + 1)
  })

  it('leaves out the calls of a backend that is mapped to nothing', async () => {
    const sent = (call: number, backend: string, seq: number) =>
      new CallScript({ call, id: call, backend }, seq).received().routed().sent(call).event(result(), call)
    const ended = (script: CallScript, call: number) => script.upstreamEnded(call).ended().events
    const events = [...ended(sent(1, 'weather', 0), 1), ...ended(sent(2, 'gone', 20), 2)]
    await writeFile(file('two.ndjson'), captureText(events))
    const args = ['replay', file('two.ndjson'), '--config', file('sluice.json'), '--data', file('data'), '--dry-run']
    const lacking = await sluice(...args)
    expect([lacking.code, lacking.stderr]).toEqual([2, expect.stringContaining('--map gone=')])
    const left = await sluice(...args, '--map', 'gone=')
    expect([left.code, left.stderr]).toEqual([0, ''])
    expect(left.stdout).toContain('1 × tools/call forecast: calls of "gone" are left out')
  })
})

describe('an imported HAR', () => {
  const har = (): object => {
    const entry = (at: number, body: object, status: number, mimeType: string, text: string) => ({
      startedDateTime: new Date(1_788_000_000_000 + at).toISOString(),
      time: 20,
      request: {
        method: 'POST',
        url: 'https://mcp.example.com/mcp',
        headers: [{ name: 'MCP-Protocol-Version', value: '2026-07-28' }],
        postData: { mimeType: 'application/json', text: JSON.stringify(body) },
      },
      response: { status, headers: [{ name: 'content-type', value: mimeType }], content: { mimeType, text } },
      timings: { wait: 10, receive: 10 },
    })
    const request = (id: number, method: string, params: object) => ({
      jsonrpc: '2.0',
      id,
      method,
      params: { ...params, _meta: { ...PROTOCOL_META, progressToken: 7 } },
    })
    const stream = [progress(1, 7), log('info'), result({ content: [{ type: 'text', text: 'mild' }] }, 2)]
    const tools = {
      tools: [{ name: 'forecast', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } }],
    }
    const call = request(2, 'tools/call', { name: 'forecast', arguments: { city: 'Oslo' } })
    return {
      log: {
        version: '1.2',
        creator: { name: 'Browser', version: '1' },
        entries: [
          entry(0, request(1, 'tools/list', {}), 200, 'application/json', JSON.stringify(result(tools, 1))),
          entry(50, call, 200, 'text/event-stream', stream.map((one) => `data: ${JSON.stringify(one)}\n\n`).join('')),
          entry(99, request(3, 'tools/call', { name: 'dies' }), 502, 'text/html', '<h1>Bad gateway</h1>'),
        ],
      },
    }
  }

  it('is a backend, and replayed against that backend nothing differs', async () => {
    await writeFile(file('web.har'), JSON.stringify(har()))
    const imported = await sluice('capture', 'import', file('web.har'), '--out', file('web.ndjson'))
    expect([imported.code, imported.stdout]).toEqual([0, expect.stringContaining('3 calls')])
    await configure('mock.json', { weather: { type: 'replay', file: 'web.ndjson' } })
    const { code, stdout, stderr } = await replay('web.ndjson', 'mock.json', '--yes')
    expect(stderr).toBe('')
    expect(summaryOf(stdout)).toMatchObject({ total: 3, same: 3, different: 0, failed: 0, notSent: 0 })
    expect(code).toBe(0)
    const opened = await openCapture(file('web.ndjson'))
    expect(opened.index.list(0, 9).calls.map(({ outcome }) => outcome)).toEqual(['result', 'result', 'error'])
    await opened.close()
  })

  it('is compared with a server, and tells what is different there', async () => {
    await configure('server.json', { 'mcp.example.com': { url: server.url } })
    const { code, stdout } = await replay('web.ndjson', 'server.json', '--only', 'tool:forecast')
    expect(stdout).toContain('"path":"/result/content/0/text","was":"mild"')
    expect(summaryOf(stdout)).toMatchObject({ total: 1, different: 1 })
    expect(code).toBe(1)
    expect(await readFile(file('web.ndjson'), 'utf8')).toContain('"imported":"HAR of Browser 1"')
  })
})
