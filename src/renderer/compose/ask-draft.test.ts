import { describe, expect, it } from 'vitest'
import {
  beginAsk,
  canAccept,
  hostOf,
  kindOf,
  relativeFolders,
  responseOf,
  rootUri,
  samplingMessages,
  samplingWishes,
} from './ask-draft'

const form = {
  key: 'k',
  method: 'elicitation/create',
  params: { requestedSchema: { type: 'object', properties: { seat: { default: 'window' } } } },
}

describe('answers', () => {
  it('to a form have content only when accepted, and begin with the defaults', () => {
    const draft = beginAsk(form, [])
    expect(responseOf(form, draft)).toEqual({ response: { action: 'accept', content: { seat: 'window' } } })
    expect(responseOf(form, { ...draft, action: 'decline' })).toEqual({ response: { action: 'decline' } })
    expect(responseOf(form, { ...draft, text: '{' })).toHaveProperty('problem')
  })
  it('to an address have no content', () => {
    const ask = { ...form, params: { mode: 'url', url: 'https://example.com' } }
    expect(responseOf(ask, beginAsk(ask, []))).toEqual({ response: { action: 'accept' } })
  })
  it.each(['https://good.example@evil.example/', 'javascript:alert(1)', undefined])(
    'to %s, which cannot be opened, agree to nothing',
    (url) => {
      const ask = { ...form, params: { mode: 'url', url } }
      expect(canAccept(ask)).toBe(false)
      expect(responseOf(ask, beginAsk(ask, []))).toEqual({ response: { action: 'decline' } })
    },
  )
  it('to sampling and roots are the results of those', () => {
    const sampling = { key: 's', method: 'sampling/createMessage', params: {} }
    expect(responseOf(sampling, beginAsk(sampling, []))).toMatchObject({ response: { role: 'assistant' } })
    const roots = { key: 'r', method: 'roots/list', params: {} }
    expect(responseOf(roots, beginAsk(roots, ['/home/me/a b', 'C:\\work']))).toEqual({
      response: { roots: [{ uri: 'file:///home/me/a%20b' }, { uri: 'file:///C:/work' }] },
    })
  })
  it('to an unknown method are JSON', () => expect(kindOf({ ...form, method: 'x' })).toBe('other'))
})

it('an empty line is no folder, a URI stays one', () => {
  expect(rootUri('  ')).toBeNull()
  expect(rootUri('file:///x')).toBe('file:///x')
})

it('folders without where they begin are told of', () => {
  const absolute = ['/a', 'C:\\work', 'c:/work', '\\\\share\\x', 'file:///x', ' ']
  expect(relativeFolders([...absolute, 'a/b', ' .. ', '~/x', 'C:'])).toEqual(['a/b', '..', '~/x', 'C:'])
})

it.each([
  ['https://example.com:8443/a', 'example.com:8443'],
  ['https://good.example@evil.example/', null],
  ['javascript:alert(1)', null],
  ['https://xn--pple-43d.com/', 'xn--pple-43d.com'],
  ['https://аpple.com/', 'xn--pple-43d.com'],
  [undefined, null],
])('%s leads to %s', (url, host) => expect(hostOf(url)).toBe(host))

it('sampling goes on from texts and from what is no text', () => {
  const image = { type: 'image', data: 'AAEC', mimeType: 'image/png' }
  const messages = [
    { role: 'user', content: { type: 'text', text: 'Look:' } },
    { role: 'user', content: [{ type: 'text', text: 'one' }, image, { type: 'text', text: 'two' }] },
    { role: 'user' },
  ]
  expect(samplingMessages({ systemPrompt: 'Be brief.', messages })).toMatchObject([
    { role: 'system', text: 'Be brief.', others: [] },
    { role: 'user', text: 'Look:', others: [] },
    { role: 'user', text: 'one\ntwo', others: [{ kind: 'binary', bytes: 3, mimeType: 'image/png' }] },
    { role: 'user', text: '', others: [{ kind: 'other' }] },
  ])
  expect(samplingMessages({ messages: 'none' })).toEqual([])
})

it('what sampling wishes of a model is put into words', () => {
  const modelPreferences = { hints: [{ name: 'small' }, {}, 3], costPriority: 1 }
  expect(samplingWishes({ maxTokens: 200, temperature: 0, modelPreferences })).toBe(
    'at most 200 tokens · temperature 0 · a model like small',
  )
  expect(samplingWishes({ maxTokens: '200', modelPreferences: [] })).toBe('')
})
