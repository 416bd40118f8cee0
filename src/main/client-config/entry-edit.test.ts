import { describe, expect, it } from 'vitest'
import { withEntry, withoutEntry, type EntryPlace } from './entry-edit'

const place: EntryPlace = { file: '/home/me/.cursor/mcp.json', key: 'mcpServers', name: 'sluice' }
const entry = { url: 'http://127.0.0.1:7420/mcp' }

const TEXTS: [what: string, text: string][] = [
  [
    'two servers, comments, tabs',
    '{\n\t// mine\n\t"mcpServers": {\n\t\t"a": { "url": "x" }, // first\n\t\t"b": { "command": "y" } // last\n\t},\n\t"z": 1\n}\n',
  ],
  ['one server on one line', '{ "mcpServers": { "a": { "url": "x" } }, "theme": "dark" }'],
  ['a comment with a comma behind the last server', '{\n  "mcpServers": {\n    "a": {} /* , */\n  }\n}'],
  ['Windows line ends and a mark', '\uFEFF{\r\n    "mcpServers": {\r\n        "a": {}\r\n    }\r\n}\r\n'],
  ['no server', '{\n  "other": [1.0],\n  "mcpServers": {}\n}\n'],
]

describe('an entry', () => {
  it.each(TEXTS)('goes into a file with %s, once, and out again without a trace', (_what, text) => {
    const added = withEntry(text, place, entry)
    expect(withEntry(added, place, entry)).toBe(added)
    expect(added).toContain('"sluice"')
    expect(withoutEntry(added, place)).toBe(text)
    expect(withoutEntry(text, place)).toBe(text)
  })

  it('goes into a file that is empty, or has no servers yet', () => {
    expect(JSON.parse(withEntry('', place, entry))).toEqual({ mcpServers: { sluice: entry } })
    const text = '{\n  // colours\n  "theme": "dark"\n}\n'
    const added = withEntry(text, place, entry)
    expect(added.startsWith('{\n  // colours\n  "theme": "dark",\n  "mcpServers": {\n')).toBe(true)
    expect(withoutEntry(added, place)).toBe('{\n  // colours\n  "theme": "dark",\n  "mcpServers": {}\n}\n')
  })

  it('is taken from the beginning and the middle, and its neighbours stay as they are', () => {
    const text = (servers: string): string => `{"mcpServers": {${servers}}}`
    expect(withoutEntry(text('"sluice": {"a": [1]}, "b": 2.0'), place)).toBe(text('"b": 2.0'))
    expect(withoutEntry(text('"a": 1, "sluice": {}, "b": 2.0'), place)).toBe(text('"a": 1, "b": 2.0'))
    const lines = '{\n  "mcpServers": {\n    "sluice": {\n      "url": "x"\n    },\n    // b\n    "b": {}\n  }\n}\n'
    expect(withoutEntry(lines, place)).toBe('{\n  "mcpServers": {\n    // b\n    "b": {}\n  }\n}\n')
  })

  it('leaves a trailing comma out, which strict readers refuse', () => {
    const text = '{\n  "mcpServers": {\n    "a": {"url": "x"},\n  },\n}\n'
    const removed = withoutEntry(withEntry(text, place, entry), place)
    expect(removed).toBe('{\n  "mcpServers": {\n    "a": {"url": "x"}\n  },\n}\n')
    expect(withoutEntry(text, place)).toBe(text)
  })

  it('is brought up to date', () => {
    const text = withEntry('{\n  "mcpServers": {\n    "a": {}\n  }\n}\n', place, { url: 'http://old/mcp' })
    const changed = withEntry(text, place, entry)
    expect(JSON.parse(changed)).toEqual({ mcpServers: { a: {}, sluice: entry } })
  })

  it.each([
    ['broken JSON', '{ "mcpServers": { "a": } }', 'is not valid JSON'],
    ['a list', '[]', 'is not an object'],
    ['servers that are none', '{ "mcpServers": [] }', 'mcpServers'],
    ['a key that stands twice', '{ "mcpServers": {}, "mcpServers": {} }', 'stands twice'],
  ])('does not go into %s', (_what, text, words) => {
    expect(() => withEntry(text, place, entry)).toThrow(words)
    expect(() => withoutEntry(text, place)).toThrow(place.file)
  })
})
