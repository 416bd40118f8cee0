import { describe, expect, it } from 'vitest'
import { contentOf, firstBytes, hexLines, MOST_BLOCKS, showableAs, sizeOfBase64 } from './content-blocks'

describe('contentOf', () => {
  it('reads every kind of block of a tool call', () => {
    const blocks = contentOf({
      content: [
        { type: 'text', text: 'hello' },
        { type: 'image', data: 'AAAA', mimeType: 'image/png' },
        { type: 'audio', data: 'AAA=', mimeType: 'audio/wav' },
        { type: 'resource', resource: { uri: 'a://b', mimeType: 'text/markdown', text: '# T' } },
        { type: 'resource', resource: { uri: 'a://c', blob: 'AA==' } },
        { type: 'resource_link', uri: 'https://x/', name: 'x', title: 'X', description: 'd' },
      ],
    })
    expect(blocks).toEqual([
      { kind: 'text', text: 'hello', mimeType: null, uri: null },
      { kind: 'binary', base64: 'AAAA', bytes: 3, mimeType: 'image/png', uri: null },
      { kind: 'binary', base64: 'AAA=', bytes: 2, mimeType: 'audio/wav', uri: null },
      { kind: 'text', text: '# T', mimeType: 'text/markdown', uri: 'a://b' },
      { kind: 'binary', base64: 'AA==', bytes: 1, mimeType: null, uri: 'a://c' },
      { kind: 'link', uri: 'https://x/', name: 'X', description: 'd', mimeType: null },
    ])
  })

  it('reads resources and prompts', () => {
    expect(contentOf({ contents: [{ uri: 'a://b', text: 't' }] })).toMatchObject([{ kind: 'text', uri: 'a://b' }])
    expect(contentOf({ messages: [{ role: 'user', content: { type: 'text', text: 't' } }] })).toEqual([
      { kind: 'text', role: 'user', text: 't', mimeType: null, uri: null },
    ])
    const several = [{ role: 'assistant', content: [{ type: 'text', text: 'a' }, null] }]
    expect(contentOf({ messages: several })?.map(({ kind }) => kind)).toEqual(['text', 'other'])
  })

  it.each([
    [null],
    ['text'],
    [{ type: 'text' }],
    [{ type: 'image', data: 'not base64!' }],
    [{ type: 'image' }],
    [{ type: 'resource' }],
    [{ type: 'resource', resource: {} }],
    [{ type: 'resource_link' }],
    [{ type: 'hologram' }],
    [{}],
  ])('says of %j that it cannot be read, and why', (value) => {
    const [block] = contentOf({ content: [value] }) ?? []
    expect(block?.kind).toBe('other')
    expect(block?.kind === 'other' ? block.problem : '').toMatch(/^(it|its) /)
  })

  it('has nothing where a result has none, and a bounded number of blocks', () => {
    expect(contentOf({ tools: [] })).toBeUndefined()
    expect(contentOf({ content: 'text' })).toBeUndefined()
    const many = Array.from({ length: 5_000 }, () => ({ type: 'text', text: '' }))
    expect(contentOf({ content: many })).toHaveLength(MOST_BLOCKS)
  })
})

describe('bytes', () => {
  it.each([
    ['', 0],
    ['AA==', 1],
    ['AAA=', 2],
    ['AAAA', 3],
    ['A', undefined],
    ['AA=A', undefined],
    ['AA-_', undefined],
    ['AAAA\n', undefined],
  ])('base64 %j stands for %j', (text, bytes) => {
    expect(sizeOfBase64(text)).toBe(bytes)
  })

  it('are decoded only as far as they are shown', () => {
    expect([...firstBytes(btoa('Hello, world'), 5)]).toEqual([72, 101, 108, 108, 111])
    expect([...firstBytes('AA==', 16)]).toEqual([0])
  })

  it('are dumped sixteen a line', () => {
    const bytes = Uint8Array.from([...Array(18).keys()].map((at) => at + 0x3f))
    expect(hexLines(bytes)).toEqual([
      '00000000  3f 40 41 42 43 44 45 46  47 48 49 4a 4b 4c 4d 4e  ?@ABCDEFGHIJKLMN',
      '00000010  4f 50                                             OP',
    ])
  })
})

describe('showableAs', () => {
  it.each([
    ['image/png', 10, 'image'],
    ['IMAGE/PNG; a=b', 10, 'image'],
    ['image/svg+xml', 10, 'bytes'],
    ['text/html', 10, 'bytes'],
    ['audio/wav', 10, 'audio'],
    ['image/png', 0, 'bytes'],
    ['image/png', 100_000_000, 'bytes'],
    [null, 10, 'bytes'],
  ])('%s of %d bytes: %s', (mimeType, bytes, as) => {
    expect(showableAs({ mimeType, bytes })).toBe(as)
  })
})
