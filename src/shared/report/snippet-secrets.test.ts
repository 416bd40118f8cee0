import { describe, expect, it } from 'vitest'
import { curlCommand, sdkSnippet, type SnippetSource } from './call-snippets'
import { withoutSecrets } from './snippet-secrets'

const SECRETS = ['s3cr3t-header', 's3cr3t-query', 's3cr3t-argument', 's3cr3t-nested', 's3cr3t-state', 's3cr3t-words']
const body = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: {
    name: 'book',
    arguments: {
      city: 'Oslo',
      password: 's3cr3t-argument',
      deep: [{ apiKey: 's3cr3t-nested' }],
      note: 'Authorization: Bearer s3cr3t-words',
    },
    requestState: 's3cr3t-state',
  },
}
const SOURCE: SnippetSource = {
  url: 'http://127.0.0.1:7420/mcp/booking?access_token=s3cr3t-query&lang=no',
  method: 'POST',
  headers: [
    ['Authorization', 'Bearer s3cr3t-header'],
    ['Accept', 'application/json'],
  ],
  body: JSON.stringify(body),
}

describe('withoutSecrets', () => {
  it('takes out what an export takes out, wherever it stands, and leaves the rest as it was', () => {
    const { source, redacted } = withoutSecrets(SOURCE)
    expect(redacted).toBe(true)
    for (const text of [curlCommand(source), sdkSnippet(source) ?? '', source.body]) {
      for (const secret of SECRETS) expect(text).not.toContain(secret)
      expect(text).toContain('Oslo')
    }
    expect(curlCommand(source)).toContain('Accept: application/json')
    expect(source.url).toContain('http://127.0.0.1:7420/mcp/booking?')
    expect(source.url).toContain('lang=no')
    expect(() => JSON.parse(source.body) as unknown).not.toThrow()
  })

  it('leaves a call without secrets as it is', () => {
    const plain = {
      ...SOURCE,
      url: 'http://127.0.0.1:7420/mcp',
      headers: [],
      body: '{ "id": 1.0, "method":"tools/list" }',
    }
    expect(withoutSecrets(plain)).toEqual({ source: plain, redacted: false, hints: [] })
  })

  it('tells of what is left and looks like a secret', () => {
    const text = JSON.stringify({ note: 'see ghp_abcdefghijklmnopqrstuvwxyz0123456789' })
    expect(withoutSecrets({ ...SOURCE, body: text }).hints).toEqual(['GitHub token'])
  })
})
