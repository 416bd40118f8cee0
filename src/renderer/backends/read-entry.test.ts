import { describe, expect, it } from 'vitest'
import { readEntry } from './read-entry'

const ENTRY = '{ "command": "npx", "args": ["-y", "weather-server"] }'

describe('readEntry', () => {
  it.each<[string, string, string | null]>([
    ['an entry', ENTRY, null],
    ['one of an mcpServers fragment', `{ "mcpServers": { "weather": ${ENTRY} } }`, 'weather'],
    ['one of a servers fragment, with its inputs', `{ "servers": { "weather": ${ENTRY} }, "inputs": [] }`, 'weather'],
    ['one of the settings of VS Code', `{ "mcp": { "servers": { "weather": ${ENTRY} } } }`, 'weather'],
    ['one of the settings of Zed', `{ "context_servers": { "weather": ${ENTRY} } }`, 'weather'],
    ['one with its name alone', `{ "weather": ${ENTRY} }`, 'weather'],
    ['one with its name, without braces', `"weather": ${ENTRY},`, 'weather'],
    ['a fragment without braces', `  "mcpServers": { "weather": ${ENTRY} } // there`, 'weather'],
    ['one between the fences of Markdown', `\`\`\`json\n{ "weather": ${ENTRY} }\n\`\`\`\n`, 'weather'],
    ['comments, trailing commas and a byte order mark', `\uFEFF// here\n{ "a b": ${ENTRY}, }`, 'a b'],
  ])('takes %s', (_what, text, name) => {
    const read = readEntry(text)
    expect(read).toEqual({ entry: JSON.parse(ENTRY) as object, source: ENTRY, name, problem: null })
  })

  it.each<[string, string, string]>([
    ['nothing', ' ', 'Paste its entry'],
    ['no JSON', '{\n  "command": npx }', 'This is no JSON yet: invalid symbol, in line 2.'],
    ['no JSON between fences', '```\n{\n  "command": npx }\n```', 'This is no JSON yet: invalid symbol, in line 3.'],
    ['a command line', 'npx -y weather', 'This is no JSON yet: invalid symbol, in line 1.'],
    ['a list', '[]', 'An entry is an object'],
    ['a text', '"npx"', 'An entry is an object'],
    ['no server', '{ "mcpServers": {} }', 'No server is named here.'],
    ['servers that are no object', '{ "mcpServers": [] }', 'What should hold the servers is no object.'],
    ['a server that is no object', '{ "mcpServers": { "a\u202E": "npx" } }', 'The entry of “a⟨U+202E⟩” is no object.'],
    ['absurd nesting', '{"a":'.repeat(100_000), 'This is nested too deeply.'],
  ])('says of %s what it is', (_what, text, problem) => {
    const read = readEntry(text)
    expect(read).toMatchObject({ entry: null, several: false })
    expect(read.problem).toContain(problem)
  })

  it.each([
    ['several', `{ "mcpServers": { "a": ${ENTRY}, "b": ${ENTRY} } }`, 'There are 2 servers here: a, b. Leave one'],
    ['several of one name', `"a": ${ENTRY}, "a": ${ENTRY}`, 'There are 2 servers here: a, a.'],
    [
      'very many',
      `{${Array.from({ length: 99 }, (_, at) => `"s${at}": ${ENTRY}`).join()}}`,
      '99 servers here: s0, s1, s2, s3, s4, …. Leave',
    ],
  ])('takes none of %s', (_what, text, problem) => {
    const read = readEntry(text)
    expect(read).toMatchObject({ entry: null, several: true })
    expect(read.problem).toContain(problem)
  })

  it('takes an entry for one whose members are objects, and leaves what stands twice for who checks it', () => {
    expect(readEntry('{ "url": "http://x", "headers": { "url": "a" } }')).toMatchObject({ name: null })
    expect(readEntry('{ "mcpServers": { "a": { "url": "x", "url": "y" } } }')).toMatchObject({
      source: '{ "url": "x", "url": "y" }',
    })
    expect(Object.keys(readEntry('{ "__proto__": { "url": "x" } }').entry ?? {})).toEqual(['url'])
  })
})
