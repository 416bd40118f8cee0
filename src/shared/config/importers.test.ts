import { describe, expect, it } from 'vitest'
import { importDocument } from './importers'

const http = { url: 'http://127.0.0.1:1/mcp' }

describe('importDocument', () => {
  it('keeps our own shape', () => {
    const document = { gateway: { port: 1 }, mcpServers: { a: { ...http, type: 'http' } } }
    expect(importDocument(document)).toEqual({ document, serversKey: 'mcpServers', off: [], problems: [] })
  })

  it('takes the servers of a VS Code file, without its inputs', () => {
    expect(importDocument({ inputs: [{ id: 'key' }], servers: { a: { type: 'http', ...http } } })).toEqual({
      document: { mcpServers: { a: { type: 'http', ...http } } },
      serversKey: 'servers',
      off: [],
      problems: [],
    })
  })

  it.each(['streamableHttp', 'streamable_http', 'Streamable HTTP'])('reads type %s as Streamable HTTP', (type) => {
    expect(importDocument({ mcpServers: { a: { ...http, type } } }).document.mcpServers).toEqual({
      a: { ...http, type: 'streamable-http' },
    })
  })

  it.each([
    [{ command: 'npx', args: ['-y', 'server'] }, 'stdio'],
    [{ ...http }, 'http'],
    [{ ...http, type: 'legacy-sse' }, 'sse'],
    [{ command: 'npx', type: 'local' }, 'stdio'],
    [{ ...http, type: 'sse' }, 'sse'],
    [{ ...http, type: 'ws' }, 'ws'],
  ])('takes %j as %s', (entry, type) => {
    expect(importDocument({ servers: { one: entry } })).toEqual({
      document: { mcpServers: { one: { ...entry, type } } },
      serversKey: 'servers',
      off: [],
      problems: [],
    })
  })

  it('reports an entry that could be both, and keeps the others', () => {
    const { document, problems } = importDocument({ mcpServers: { odd: { ...http, command: 'npx' }, good: http } })
    expect(document).toEqual({ mcpServers: { good: { ...http, type: 'http' } } })
    expect(problems).toMatchObject([{ path: 'mcpServers.odd', message: 'has both "command" and "url"' }])
  })

  it('wants one of servers and mcpServers', () => {
    const { problems, serversKey } = importDocument({ servers: { a: http }, mcpServers: { b: http } })
    expect(serversKey).toBe('mcpServers')
    expect(problems).toMatchObject([{ path: 'servers', fix: expect.stringContaining('keep one') }])
  })

  it('leaves what is no object to the schema', () => {
    expect(importDocument({ servers: 5 }).document).toEqual({ mcpServers: 5 })
    expect(importDocument({ mcpServers: { a: 5, b: null } }).document).toEqual({ mcpServers: { a: 5, b: null } })
  })
})

it('passes over what other tools write for themselves', () => {
  const { document, problems } = importDocument({
    servers: { a: { ...http, gallery: 'x', version: '1', timeout: 5, autoApprove: [] } },
  })
  expect(problems).toEqual([])
  expect(document).toEqual({ mcpServers: { a: { type: 'http', ...http } } })
})

it('leaves out what is turned off, and tells where it stands', () => {
  const { document, off, problems } = importDocument({
    servers: {
      a: { ...http, disabled: false },
      b: { ...http, disabled: true },
      c: http,
      d: { command: 'x', url: 'y', nonsense: 1, disabled: true },
      e: { type: 5, disabled: true },
    },
  })
  expect(problems).toEqual([])
  expect(document).toEqual({ mcpServers: { a: { type: 'http', ...http }, c: { type: 'http', ...http } } })
  expect(off).toEqual([
    { name: 'b', type: 'http', place: 1 },
    { name: 'd', type: 'stdio', place: 3 },
    { name: 'e', type: 'unknown', place: 4 },
  ])
})
