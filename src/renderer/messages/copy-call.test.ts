import { describe, expect, it } from 'vitest'
import type { RequestRecord } from '../../shared/capture/record'
import { curlCommand } from '../../shared/report/call-snippets'
import { snippetSource } from './copy-call'

const request = (more: Partial<RequestRecord> = {}): RequestRecord => ({
  seq: 1,
  http: { method: 'POST', path: '/mcp/weather', headers: [['Host', '127.0.0.1:9999']] },
  body: { seq: 1, text: '{"id":1}', length: 8, clipped: false },
  message: { kind: 'request' },
  ...more,
})

describe('snippetSource', () => {
  it('goes to the endpoint as it is now, whatever port the call came in on', () => {
    const source = snippetSource({ request: request() }, 'http://127.0.0.1:7420/mcp')
    expect(source?.url).toBe('http://127.0.0.1:7420/mcp/weather')
    expect(source === null ? '' : curlCommand(source)).toContain(`--data-raw '{"id":1}'`)
  })

  it('falls back to the host of the call', () => {
    expect(snippetSource({ request: request() }, undefined)?.url).toBe('http://127.0.0.1:9999/mcp/weather')
    expect(snippetSource({ request: request() }, 'connecting')?.url).toBe('http://127.0.0.1:9999/mcp/weather')
  })

  it.each<[string, RequestRecord | null]>([
    ['a call whose request was not recorded', null],
    ['a body that is clipped', request({ body: { seq: 1, text: '{', length: 9_000_000, clipped: true } })],
  ])('is not there for %s', (_what, record) => {
    expect(snippetSource({ request: record }, 'http://127.0.0.1:7420/mcp')).toBeNull()
  })
})
