import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../shared/protocol/json-rpc'
import { draftOf, EMPTY_DRAFT, entryOf, kindOf, unshownMembers, type BackendDraft } from './backend-draft'
import { entryChanges, startsAnew } from './entry-changes'

const draft = (entry: JsonObject): BackendDraft => {
  const made = draftOf('one', entry)
  if (made === undefined) throw new Error('the form cannot show it')
  return made
}

describe('the form of an entry', () => {
  it.each<[string, JsonObject]>([
    ['of Streamable HTTP', { url: 'http://x/mcp', headers: { A: '«kept 1»' }, era: 'modern', include: ['a'] }],
    ['in another spelling', { type: 'streamableHttp', url: 'http://x/mcp' }],
    ['of HTTP+SSE', { type: 'sse', url: 'http://x/sse', passHeaders: ['A'] }],
    ['of a command', { command: 'npx', args: ['-y', ''], env: { A: '1', B: '${B}' }, cwd: '/x', instances: 'shared' }],
    ['with empty members', { command: 'npx', args: [], env: {}, cwd: '' }],
    ['of a capture', { type: 'replay', file: 'a.ndjson', backend: 'b', speed: 2, ignore: ['/a'] }],
    ['with members that nobody knows', { url: 'http://x/mcp', oauth: { scopes: ['a'] }, disabled: true, timeout: 5 }],
  ])('gives back one %s as it was', (_what, entry) => {
    expect(entryOf(draft(entry), entry)).toEqual(entry)
    expect(Object.keys(entryOf(draft(entry), entry))).toEqual(Object.keys(entry))
  })

  it.each<[string, JsonObject]>([
    ['a type that is not known', { type: 'ws', url: 'ws://x' }],
    ['a URL that is no text', { url: 5 }],
    ['arguments that are no texts', { command: 'x', args: [1] }],
    ['variables that are no texts', { command: 'x', env: { A: 1 } }],
  ])('does not show one with %s', (_what, entry) => {
    expect(draftOf('one', entry)).toBeUndefined()
  })

  it('changes what it shows, and keeps the rest', () => {
    const entry = { command: 'npx', args: ['a'], env: { A: '1' }, cwd: '/x', include: ['t'] }
    const { command, ...rest } = draft(entry)
    const changed = { ...rest, command: { ...command, args: [], cwd: ' ', variables: [{ name: ' B ', value: '2' }] } }
    expect(entryOf(changed, entry)).toEqual({ command: 'npx', env: { B: '2' }, include: ['t'] })
  })

  it('takes out what the new kind does not have', () => {
    const entry = { command: 'npx', args: ['a'], instances: 'shared', era: 'legacy', include: ['t'], disabled: true }
    expect(entryOf({ ...draft(entry), kind: 'sse', url: ' http://x/sse ' }, entry)).toEqual({
      type: 'sse',
      url: 'http://x/sse',
      include: ['t'],
      disabled: true,
    })
    expect(entryOf({ ...draft(entry), kind: 'http', url: 'http://x/mcp' }, entry)).toMatchObject({ era: 'legacy' })
  })

  it('names what it does not show', () => {
    expect(unshownMembers({ type: 'http', url: 'x', era: 'auto', include: [], disabled: true })).toEqual([
      'era',
      'include',
    ])
    expect(kindOf({ type: 'local', command: 'x' })).toBe('command')
  })

  it('makes the entry of a new backend', () => {
    const headers = [
      { name: 'A', value: '1' },
      { name: '', value: 'x' },
    ]
    expect(entryOf({ ...EMPTY_DRAFT, url: ' http://x/mcp ', headers }, {})).toEqual({
      type: 'http',
      url: 'http://x/mcp',
      headers: { A: '1' },
    })
    const command = { command: ' npx ', args: ['-y'], variables: headers, cwd: '' }
    expect(entryOf({ ...EMPTY_DRAFT, kind: 'command', command }, {})).toEqual({
      type: 'stdio',
      command: 'npx',
      args: ['-y'],
      env: { A: '1' },
    })
  })
})

describe('what will be written', () => {
  it('is told member by member', () => {
    const before = { url: 'http://x', env: { A: '1', B: '2' }, era: 'auto', args: ['-y', 'a'] }
    const after = { url: 'http://y', env: { A: '1', C: '3' }, include: ['a'], args: ['-y', 'b'] }
    expect(entryChanges(before, after)).toEqual([
      { member: 'url', before: '"http://x"', after: '"http://y"' },
      { member: 'env.B', before: '"2"', after: null },
      { member: 'env.C', before: null, after: '"3"' },
      { member: 'era', before: '"auto"', after: null },
      { member: 'args.2', before: '"a"', after: '"b"' },
      { member: 'include', before: null, after: '["a"]' },
    ])
  })

  it('starts a program anew when its words change', () => {
    expect(startsAnew(entryChanges({ command: 'a', env: { A: '1' } }, { command: 'a', env: { A: '2' } }))).toBe(true)
    expect(startsAnew(entryChanges({ command: 'a' }, { command: 'a', args: ['b'] }))).toBe(true)
    expect(startsAnew(entryChanges({ command: 'a' }, { command: 'a', include: ['b'] }))).toBe(false)
  })
})
