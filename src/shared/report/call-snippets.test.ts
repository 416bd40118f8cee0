import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { curlCommand, sdkSnippet, type SnippetSource } from './call-snippets'

const SOURCE: SnippetSource = {
  url: 'http://127.0.0.1:7420/mcp',
  method: 'POST',
  headers: [
    ['Content-Type', 'application/json'],
    ['Host', '127.0.0.1:7420'],
    ['Content-Length', '7'],
  ],
  body: '{}',
}

/** What a shell makes of the arguments of a command. */
function argumentsOf(command: string): string[] {
  const script = command.replace(/^curl /, 'printf "%s\\0" ')
  return execFileSync('sh', ['-c', script], { encoding: 'utf8' }).split('\0').slice(0, -1)
}

describe('curlCommand', () => {
  it('has what the client sent, and not what belongs to its connection', () => {
    expect(argumentsOf(curlCommand(SOURCE))).toEqual([
      '-sN',
      SOURCE.url,
      '-H',
      'Content-Type: application/json',
      '--data-raw',
      '{}',
    ])
    expect(argumentsOf(curlCommand({ ...SOURCE, method: 'GET', headers: [], body: '' }))).toEqual([
      '-sN',
      SOURCE.url,
      '-X',
      'GET',
    ])
  })

  it('keeps hostile text one argument', () => {
    const evil = `'; touch evil #"$(id)\`id\`\\\n'`
    const command = curlCommand({ ...SOURCE, headers: [['X', evil]], body: evil, url: `http://h/?${evil}` })
    const url = `http://h/?${evil.replaceAll(' ', '%20').replaceAll('\n', '%0A')}`
    expect(argumentsOf(command)).toEqual(['-sN', url, '-H', `X: ${evil}`, '--data-raw', evil])
  })

  it('has a URL that cURL takes: no marks, spaces or patterns of many URLs', () => {
    const [options, url] = argumentsOf(
      curlCommand({ ...SOURCE, url: 'http://h/mcp?key=«redacted 16»&a=[1-3]{b}\ud800' }),
    )
    expect(options).toBe('-sNg')
    expect(url).toBe('http://h/mcp?key=%C2%ABredacted%2016%C2%BB&a=[1-3]{b}%EF%BF%BD')
  })
})

describe('sdkSnippet', () => {
  it('makes the same request', () => {
    const meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' }
    const params = { name: 'forecast', arguments: { city: '"); evil(' }, _meta: meta }
    const snippet = sdkSnippet({
      ...SOURCE,
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    })
    expect(snippet).toContain('pin: "2026-07-28"')
    expect(snippet).toContain('client.callTool({\n  "name": "forecast"')
    expect(snippet).toContain(JSON.stringify('"); evil('))
    expect(snippet).not.toContain('_meta')
  })

  it('is none for what the SDK has no request for', () => {
    expect(sdkSnippet(SOURCE)).toBeUndefined()
    expect(sdkSnippet({ ...SOURCE, body: 'no JSON' })).toBeUndefined()
    expect(sdkSnippet({ ...SOURCE, body: '{"method":"__proto__"}' })).toBeUndefined()
  })
})
