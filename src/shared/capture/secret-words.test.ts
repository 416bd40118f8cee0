import { describe, expect, it } from 'vitest'
import { applyTextEdits } from '../protocol/json-text'
import { plainName } from './secret-keys'
import { wordEdits, type SecretNames } from './secret-words'

const names: SecretNames = {
  headers: new Set(['authorization', 'cookie', 'x-api-key']),
  parameters: new Set(['token', 'password', 'api_key', 'client_secret'].map(plainName)),
}
const redact = (text: string): string => applyTextEdits(text, wordEdits(text, names))

describe('secrets in text of any kind', () => {
  it.each([
    ['the first of a form', 'password=ab%20c&x=1', 'password=«redacted 8»&x=1'],
    ['another of a form', 'x=1&client_secret=abc,d;e', 'x=1&client_secret=«redacted 8»'],
    ['a name of a form that is encoded', 'client%5Fsecret=abc', 'client%5Fsecret=«redacted 4»'],
    ['a member of a form', 'user[password]=abc', 'user[password]=«redacted 4»'],
    ['a place with a name', 'db.password=abc', 'db.password=«redacted 4»'],
    ['a setting', 'password: hunter2', 'password: «redacted 8»'],
    ['a setting in quotes', `password: 'it''s'`, `password: '«redacted 2»''s'`],
    ['an object of JavaScript', '{ token: "a b" }', '{ token: "«redacted 4»" }'],
    ['an object of Python', "{'token': 'a\"b'}", "{'token': '«redacted 4»'}"],
    ['an object of Ruby', '{"token" => "abc"}', '{"token" => "«redacted 4»"}'],
    ['an object below a name', '{password: {a: "b"}}, c', '{password: «redacted 8»}, c'],
    ['JSON that is escaped', '\\"token\\": \\"a b\\", \\"c\\": 1', '\\"token\\": \\"«redacted 4»\\", \\"c\\": 1'],
    ['a field', 'Authorization: Bearer a.b', 'Authorization: Bearer «redacted 4»'],
    ['a field with another scheme', 'authorization: Weird abc def\nx: 1', 'authorization: «redacted 16»\nx: 1'],
    ['a field in quotes', `-H 'Cookie: a=b; c=d' -v`, `-H 'Cookie: «redacted 8»' -v`],
    ['a field as a member', `'Authorization': 'Bearer abc'`, `'Authorization': 'Bearer «redacted 4»'`],
    ['a field with a word as value', 'x-api-key: secretword', 'x-api-key: «redacted 16»'],
    ['credentials alone', 'used Bearer abcdef now', 'used Bearer «redacted 8» now'],
    ['credentials of a user', 'used Basic dXNlcjpwYXNz now', 'used Basic «redacted 16» now'],
    ['a user in a URL', 'ws://user:pass@h/', 'ws://«redacted 16»@h/'],
    ['a parameter', 'http://h/?a=1&token=abc', 'http://h/?a=1&token=«redacted 4»'],
    ['a variable', 'export OPENAI_API_KEY=sk-1', 'export OPENAI_API_KEY=«redacted 4»'],
    ['an option', 'x --token abc --password=de', 'x --token «redacted 4» --password=«redacted 2»'],
    ['an element', '<a><password>a b</password></a>', '<a><password>«redacted 4»</password></a>'],
    ['a part of a form', 'x; name="token"\r\n\r\nabc\r\n--', 'x; name="token"\r\n\r\n«redacted 4»\r\n--'],
    ['brackets around it', 'refused (token=abc).', 'refused (token=«redacted 4»).'],
  ])('%s', (_name, text, expected) => {
    expect(redact(text)).toBe(expected)
    expect(redact(expected)).toBe(expected)
  })

  it.each([
    ['a word about credentials', 'a bearer of news, bearer tokens, Bearer authentication'],
    ['a word', 'Basic information: a basic calculator'],
    ['a challenge', 'Bearer realm="x", error="invalid_token"'],
    ['a sentence', 'token: to be, or not'],
    ['a type', 'password: string, token=null'],
    ['a scope', 'token::new() token://x'],
    ['another name', 'tokens=5 mypassword=x'],
    ['JSON that is no string', '{"token":12345,"password":{"type":"string"}}'],
  ])('nothing in %s', (_name, text) => {
    expect(redact(text)).toBe(text)
  })

  it('is linear in hostile text', () => {
    const before = performance.now()
    for (const part of [
      'cookie: ',
      'token="',
      'token=null=',
      'password={',
      '://',
      '://a',
      'Bearer ',
      '--token ',
      '<token>',
      'name="token"',
      'name="token"\n',
      'a=:',
      '\\',
      'x'.repeat(50),
      "'token':",
      'cookie: «redacted 4» ',
    ])
      redact(part.repeat(Math.ceil(300_000 / part.length)))
    expect(performance.now() - before).toBeLessThan(10_000)
  })
})
