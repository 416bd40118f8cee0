import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../shared/protocol/json-rpc'
import { asFields, asJson, currentEntry, editedEntry, type EditedEntry } from './edited-entry'

const ENTRY: JsonObject = { type: 'http', url: 'http://x/mcp', era: 'modern', exclude: ['b'] }

/** The entry written as JSON, and then shown in fields. */
const rewritten = (entry: JsonObject, text: string): EditedEntry =>
  asFields('one', { ...asJson(editedEntry('one', entry)), text })

describe('an entry that is written as JSON and then shown in fields', () => {
  it('has the members that were written there and are not shown', () => {
    const edited = rewritten(ENTRY, JSON.stringify({ ...ENTRY, include: ['a'] }))
    expect(edited).toMatchObject({ text: null, draft: { url: 'http://x/mcp' } })
    expect(currentEntry(edited).entry).toEqual({ ...ENTRY, include: ['a'] })
  })

  it('has no member that was taken out there, or that is another one there', () => {
    const edited = rewritten(ENTRY, '{ "type": "http", "url": "http://x/mcp", "exclude": ["c"] }')
    expect(currentEntry(edited).entry).toEqual({ type: 'http', url: 'http://x/mcp', exclude: ['c'] })
  })

  it('has them as JSON once more, and with what the fields changed since', () => {
    const edited = rewritten(ENTRY, '{ "url": "http://x/mcp", "include": ["a"] }')
    if (edited.draft === undefined) throw new Error('is not shown in fields')
    const changed = { ...edited, draft: { ...edited.draft, url: 'http://y/mcp' } }
    expect(JSON.parse(asJson(changed).text ?? '')).toEqual({ url: 'http://y/mcp', include: ['a'] })
  })

  it('stays JSON when the fields cannot show it', () => {
    for (const text of ['{', '[]', '{ "url": 5 }']) {
      const edited = rewritten(ENTRY, text)
      expect(edited).toMatchObject({ text, unshowable: true })
    }
    const { unshowable, text } = editedEntry('one', { url: 5 })
    expect({ unshowable, text }).toEqual({ unshowable: true, text: '{\n  "url": 5\n}' })
  })

  it('keeps what waits in the fields of another kind when the JSON was only looked at', () => {
    const { draft, ...rest } = editedEntry('one', ENTRY)
    if (draft === undefined) throw new Error('is not shown in fields')
    const command: EditedEntry = { ...rest, draft: { ...draft, kind: 'command' } }
    expect(asFields('one', asJson(command)).draft?.url).toBe('http://x/mcp')
  })
})
