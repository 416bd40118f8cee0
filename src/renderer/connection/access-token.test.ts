import { describe, expect, it, vi } from 'vitest'
import { takeToken } from './access-token'

function place(href: string, stored: Record<string, string> = {}) {
  return {
    location: { href },
    history: { state: null, replaceState: vi.fn() },
    sessionStorage: {
      getItem: (key: string) => stored[key] ?? null,
      setItem: (key: string, value: string) => {
        stored[key] = value
      },
    },
  }
}

describe('takeToken', () => {
  it('takes the token from the address, remembers it and cleans the address', () => {
    const stored: Record<string, string> = {}
    const page = place('http://127.0.0.1:7421/?token=abc&x=1', stored)
    expect(takeToken(page)).toBe('abc')
    expect(page.history.replaceState).toHaveBeenCalledWith(null, '', 'http://127.0.0.1:7421/?x=1')
    expect(takeToken(place('http://127.0.0.1:7421/?x=1', stored))).toBe('abc')
  })
  it('has no token when none was ever given', () => {
    const page = place('http://127.0.0.1:7421/')
    expect(takeToken(page)).toBe('')
    expect(page.history.replaceState).not.toHaveBeenCalled()
  })
})
