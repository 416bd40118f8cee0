import { describe, expect, it } from 'vitest'
import { readChallenges, signInAdvice, signInSnippet } from './read-challenge'

describe('readChallenges', () => {
  it.each<[string, ReturnType<typeof readChallenges>]>([
    [
      'Bearer resource_metadata="https://h/.well-known/x", scope="files:read files:write", error=invalid_token',
      [
        {
          scheme: 'Bearer',
          parameters: [
            ['resource_metadata', 'https://h/.well-known/x'],
            ['scope', 'files:read files:write'],
            ['error', 'invalid_token'],
          ],
        },
      ],
    ],
    [
      'Basic realm="a \\"b\\"", Bearer',
      [
        { scheme: 'Basic', parameters: [['realm', 'a "b"']] },
        { scheme: 'Bearer', parameters: [] },
      ],
    ],
    ['', []],
    ['"', []],
    ['realm="x"', []],
  ])('%j', (field, challenges) => {
    expect(readChallenges(field)).toEqual(challenges)
  })

  it('ends on a field that goes on for ever', () => {
    expect(readChallenges('a, '.repeat(100_000)).length).toBeLessThan(30)
    expect(readChallenges(`Bearer ${'a=b, '.repeat(100_000)}`)[0]?.parameters.length).toBeLessThan(30)
  })
})

it('says what to configure', () => {
  const bearer = readChallenges('Bearer')
  expect(signInAdvice(bearer)).toContain('token')
  expect(signInAdvice(readChallenges('Basic realm=x'))).toContain('password')
  expect(signInAdvice([])).toContain('documentation')
  expect(JSON.parse(signInSnippet('my-files', 'http://h/mcp', bearer))).toEqual({
    'my-files': { url: 'http://h/mcp', headers: { Authorization: 'Bearer ${MY_FILES_TOKEN}' } },
  })
})
