import { describe, expect, it } from 'vitest'
import { consentNeeded, readOnlyHint, type ReadOnlyHint } from './consent'

const tool = (readOnly?: boolean) => ({
  name: 't',
  ...(readOnly !== undefined && { annotations: { readOnlyHint: readOnly } }),
})

describe('consentNeeded', () => {
  it.each<[recorded: ReadOnlyHint, current: ReadOnlyHint, asks: boolean]>([
    ['read-only', 'read-only', false],
    ['read-only', 'not listed', false],
    ['not listed', 'read-only', false],
    ['not annotated', 'read-only', false],
    ['read-only', 'not annotated', true],
    ['read-only', 'not read-only', true],
    ['not read-only', 'read-only', true],
    ['not read-only', 'not listed', true],
    ['not annotated', 'not listed', true],
    ['not listed', 'not listed', true],
  ])('recorded %s, now %s: asks %s', (recorded, current, asks) => {
    expect(consentNeeded('tools/call', { recorded, current }) !== undefined).toBe(asks)
  })

  it('is not asked for what only reads, and always for what is not known', () => {
    const hints = { recorded: 'not listed', current: 'not listed' } as const
    for (const method of ['tools/list', 'prompts/get', 'resources/read', 'completion/complete', 'server/discover'])
      expect(consentNeeded(method, hints)).toBeUndefined()
    expect(consentNeeded('vendor/reset', hints)).toContain('vendor/reset')
  })

  it('reads the annotation of a tool, and takes nothing but true for a promise', () => {
    expect(readOnlyHint(undefined)).toBe('not listed')
    expect(readOnlyHint(tool())).toBe('not annotated')
    expect(readOnlyHint(tool(true))).toBe('read-only')
    expect(readOnlyHint(tool(false))).toBe('not read-only')
    expect(readOnlyHint({ annotations: { readOnlyHint: 'true' } })).toBe('not annotated')
    expect(readOnlyHint({ annotations: [] })).toBe('not annotated')
  })
})
