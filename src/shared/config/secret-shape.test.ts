import { describe, expect, it } from 'vitest'
import { isUncommon, looksLikeToken, tokenEdits } from './secret-shape'

/** What stands for what is hidden: `•`. */
const hidden = (text: string): string =>
  tokenEdits(text).reduceRight((whole, { start, end }) => `${whole.slice(0, start)}•${whole.slice(end)}`, text)

describe('tokenEdits', () => {
  it.each([
    ['a token of an issuer', 'sk-ant-api03-Zx81Qm2LpT9aB', '•'],
    ['one of GitHub', 'ghp_16C7e42F292c6912E7710c838347Ae178B4a', '•'],
    ['one of Slack', 'xoxb-17653672481-19874698323-pdFZKVeTuE8sk7oOcHrzqqgy', '•'],
    ['a JWT', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U', '•'],
    ['hexadecimal', '5f4dcc3b5aa765d61d8327deb882cf99', '•'],
    ['base64', 'x q83vEjRWeJCrze8SNFZ4kA+/bc1z/Z9pQ== y', 'x • y'],
    ['letters of changing case', 'aBcDeFgHiJkLmNoPqRsT', '•'],
    ['one in an address', 'https://mcp.example.com/s/Zx81Qm2LpT9aB7vK3nR5/mcp', 'https://mcp.example.com/s/•/mcp'],
    ['one as a value', '--thing=Zx81Qm2LpT9aB7vK3nR5', '--thing=•'],
    ['two in one text', 'Zx81Qm2LpT9aB7vK3nR5,5f4dcc3b5aa765d61d8327deb882cf99', '•,•'],
  ])('hides %s', (_what, text, expected) => {
    expect(hidden(text)).toBe(expected)
  })

  it.each([
    '@modelcontextprotocol/server-filesystem@2025.11.18',
    'mcp-server-everything-2025-11-25',
    'claude-sonnet-4-20250514',
    'meta-llama/Llama-3.3-70B-Instruct',
    'https://mcp.eu-west-1.example.com:8443/v1/streamable-http',
    'http://127.0.0.1:3000/mcp?page=2',
    'io.github.modelcontextprotocol.everything',
    'myVeryLongNameOfSomethingThatIsRead',
    '--allowed-directories=/home/dev/projects',
    '/home/dev/.cache/5f4dcc3b5aa765d61d8327deb882cf99/index.js',
    './out/5f4dcc3b5aa765d61d8327deb882cf99.js',
    'C:\\Users\\dev\\5f4dcc3b5aa765d61d8327deb882cf99',
    'ghcr.io/github/github-mcp-server@sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    'github:owner/name#da39a3ee5e6b4b0d3255bfef95601890afd80709',
    '12345678901234567890',
    '550e8400-e29b-41d4-a716-446655440000',
    '--project=F47AC10B-5ACC-4C72-A5C7-0E02B2C3D479',
    '2025-11-30T12:00:00.000Z',
    'stdio',
    '',
  ])('leaves %s', (text) => {
    expect(hidden(text)).toBe(text)
  })

  it.each([
    ['one long word', 'aB3'.repeat(300_000)],
    ['letters', 'a'.repeat(1_000_000)],
    ['humps', 'Ab'.repeat(300_000)],
    ['pieces', 'a1b-'.repeat(200_000)],
    ['beginnings of UUIDs', '550e8400-e29b-'.repeat(200_000)],
    ['slashes', 'a/'.repeat(300_000)],
    ['signs', '#sha256:'.repeat(400_000)],
  ])('takes time that is linear: %s', (_what, text) => {
    const timeOf = (part: string): number => {
      const begin = performance.now()
      tokenEdits(part)
      return performance.now() - begin
    }
    timeOf(text.slice(0, 10_000))
    // A quadratic one would take minutes.
    expect(timeOf(text)).toBeLessThan(5_000)
  })
})

describe('isUncommon', () => {
  it.each(['p@ssw0rd!', 'Zx81Qm2LpT', 'correct horse b4ttery st4ple!', 'sk-ant-api03-Zx81Qm2LpT9aB'])(
    'says so of %s',
    (value) => {
      expect(isUncommon(value)).toBe(true)
    },
  )
  it.each([
    'oauth2',
    'development',
    'gpt-4o-mini',
    '12345678',
    '/run/secrets/token',
    'https://auth.example.com/',
    'hunter2',
    'a b c',
  ])('does not say so of %s, which may stand anywhere', (value) => {
    expect(isUncommon(value)).toBe(false)
  })
})

it('takes no short word for a token', () => {
  expect(looksLikeToken('Zx81Qm2LpT9aB')).toBe(false)
})
