import { describe, expect, it } from 'vitest'
import { linkAmong, readLink } from './links'

describe('a link', () => {
  it.each([
    ['sluice://add-backend?name=weather&url=http%3A%2F%2F127.0.0.1%3A3000%2Fmcp', 'http://127.0.0.1:3000/mcp'],
    ['sluice://add-backend/?name=weather&url=https://mcp.example.com/mcp?a=1', 'https://mcp.example.com/mcp?a=1'],
    ['SLUICE://add-backend?name=weather&url=http://localhost/', 'http://localhost/'],
  ])('%s adds a backend', (text, url) => {
    expect(readLink(text)).toEqual({ kind: 'add-backend', name: 'weather', url })
  })

  it.each([
    ['', 'no URL'],
    ['https://add-backend?name=a&url=http://x/', 'does not begin'],
    ['sluice://run?command=rm', 'knows'],
    ['sluice://add-backend/other?name=a&url=http://x/', 'knows'],
    ['sluice://add-backend?url=http://x/', 'name'],
    ['sluice://add-backend?name=../a&url=http://x/', 'name'],
    ['sluice://add-backend?name=__proto__&url=http://x/', 'name'],
    [`sluice://add-backend?name=${'a'.repeat(65)}&url=http://x/`, 'name'],
    ['sluice://add-backend?name=a', 'url'],
    ['sluice://add-backend?name=a&url=file:///etc/passwd', 'url'],
    ['sluice://add-backend?name=a&url=javascript:alert(1)', 'url'],
    ['sluice://add-backend?name=a&url=http://user:secret@x/', 'user name'],
    [`sluice://add-backend?name=a&url=http://x/${'y'.repeat(5_000)}`, 'longer'],
  ])('%s is refused', (text, reason) => {
    const link = readLink(text)
    expect(link.kind).toBe('refused')
    expect('reason' in link ? link.reason : '').toContain(reason)
  })

  it('is found among the words of a command line', () => {
    expect(linkAmong(['/usr/bin/sluice-desk', '--no-sandbox', 'sluice://add-backend?name=a&url=http://x/'])).toBe(
      'sluice://add-backend?name=a&url=http://x/',
    )
    expect(linkAmong(['/usr/bin/sluice-desk', '--data', '/srv/sluice'])).toBeUndefined()
  })
})
