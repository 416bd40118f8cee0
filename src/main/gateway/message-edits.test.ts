import { describe, expect, it } from 'vitest'
import { META } from '../../shared/protocol/meta'
import { editRequest } from './request-edits'
import { editResponse, editSubscriptionNotification } from './response-edits'

const sub = META.subscriptionId

describe('editRequest', () => {
  const text =
    '{ "params":{"requestState":"outer","arguments":{"n":1.0,"n":2,"id":5}, "name" : "w__f"},"id":"a","jsonrpc":"2.0","method":"tools/call"}'
  it('edits id, name and state, nothing else', () => {
    const edited = editRequest(text, { upstreamId: '7', target: { member: 'name', name: 'f' }, requestState: 'in"ner' })
    expect(edited.text).toBe(
      '{ "params":{"requestState":"in\\"ner","arguments":{"n":1.0,"n":2,"id":5}, "name" : "f"},"id":7,"jsonrpc":"2.0","method":"tools/call"}',
    )
    expect(edited.edits.map(({ what, at, was, now }) => [what, at, was, now])).toEqual([
      ['requestState', '/params/requestState', '"outer"', '"in\\"ner"'],
      ['name', '/params/name', '"w__f"', '"f"'],
      ['id', '/id', '"a"', '7'],
    ])
  })
  it('takes out a state that the backend never gave, and keeps an empty one', () => {
    expect(editRequest(text, { upstreamId: '7', requestState: null }).text).toContain('"params":{"arguments"')
    expect(editRequest(text, { upstreamId: '7', requestState: '' }).text).toContain('"requestState":""')
  })
  it('a request that needs no edit is the same text', () => {
    const edited = editRequest(text.replace('"a"', '7'), { upstreamId: '7', target: { member: 'name', name: 'w__f' } })
    expect([edited.text, edited.edits]).toEqual([text.replace('"a"', '7'), []])
  })
  it('edits every duplicate', () => {
    const edited = editRequest('{"id":1,"params":{"name":"a","name":"b"},"id":2}', {
      upstreamId: '9',
      target: { member: 'name', name: 'x' },
    })
    expect(edited.text).toBe('{"id":9,"params":{"name":"x","name":"x"},"id":9}')
  })
  it('edits the prompt that a completion refers to', () => {
    const edited = editRequest('{"id":1,"params":{"ref":{"type":"ref/prompt","name":"w__p"}}}', {
      upstreamId: '1',
      referencedPrompt: 'p',
    })
    expect(edited.text).toBe('{"id":1,"params":{"ref":{"type":"ref/prompt","name":"p"}}}')
  })
  it('large bodies can be recorded by reference', () => {
    const large = `{"id":1,"params":{"x":"${'y'.repeat(20_000)}"}}`
    expect(editRequest(large, { upstreamId: '2' }).reference(5)).toEqual({
      seq: 5,
      edits: [{ what: 'id', at: '/id', offset: 6, was: '1', now: '2' }],
    })
    expect(editRequest(text, { upstreamId: '2' }).reference(5)).toBeUndefined()
  })
})

describe('editResponse', () => {
  it.each([
    ['restores the id', '{"result":{"v":1.0},"id":3}', { clientId: '"x"' }, '{"result":{"v":1.0},"id":"x"}'],
    ['replaces a null id', '{"error":{"code":1},"id":null}', { clientId: '4' }, '{"error":{"code":1},"id":4}'],
    ['adds a missing id', '{"error":{"code":1}}', { clientId: '4' }, '{"error":{"code":1},"id":4}'],
    [
      'seals a state',
      '{"result":{"requestState":"i"},"id":3}',
      { clientId: '3', requestState: 'O' },
      '{"result":{"requestState":"O"},"id":3}',
    ],
    [
      'adds a state',
      '{"result":{"a":1},"id":3}',
      { clientId: '3', requestState: 'O' },
      '{"result":{"a":1,"requestState":"O"},"id":3}',
    ],
    [
      'forbids caching',
      '{"result":{"ttlMs":5000},"id":3}',
      { clientId: '3', uncacheable: true },
      '{"result":{"ttlMs":0},"id":3}',
    ],
    ['adds no ttl', '{"result":{},"id":3}', { clientId: '3', uncacheable: true }, '{"result":{},"id":3}'],
    [
      'restores the subscription id',
      `{"result":{"_meta":{"${sub}":3}},"id":3}`,
      { clientId: '"listen:0"', subscription: true },
      `{"result":{"_meta":{"${sub}":"listen:0"}},"id":"listen:0"}`,
    ],
  ])('%s', (_name, text, changes, expected) => expect(editResponse(text, changes).text).toBe(expected))
})

it('editSubscriptionNotification re-tags, type preserved', () => {
  const text = `{"method":"n","params":{"_meta":{"${sub}":12,"k":1.0}}}`
  expect(editSubscriptionNotification(text, '"7"').text).toBe(
    `{"method":"n","params":{"_meta":{"${sub}":"7","k":1.0}}}`,
  )
  expect(editSubscriptionNotification('{"method":"n"}', '7').text).toBe('{"method":"n"}')
})
