import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { ALL_BROKEN } from '../../../test/findings/all-broken'
import { GUIDE, GUIDE_SUBJECTS, guideOf, type RuleId } from './guide'
import type { GuideEntry } from './guide/entry'
import { guidePage } from './guide/page'
import { specAddress } from './sarif'

const entries: readonly (readonly [string, GuideEntry])[] = Object.entries(GUIDE)

describe('the guide', () => {
  it('has an entry for nothing but what is found', () => {
    const broken = new Set<string>(ALL_BROKEN.map(([rule]) => rule))
    expect(Object.keys(GUIDE).filter((rule) => !broken.has(rule))).toEqual([])
  })

  it('has each rule in one subject', () => {
    const listed = GUIDE_SUBJECTS.flatMap(({ rules }): readonly RuleId[] => rules)
    expect([...listed].sort()).toEqual(Object.keys(GUIDE).sort())
  })

  it.each(entries)('teaches in sentences: %s', (rule, { title, why, look, spec, legacySpec }) => {
    expect(rule).toMatch(/^[a-z]+(-[a-z0-9]+)*$/)
    expect(title).toMatch(/^\S.{8,78}[^.\s]$/)
    expect(why).toMatch(/^\S.{80,}\.$/)
    expect(look).toMatch(/^\S.{20,}\.$/)
    expect(() => new URL(specAddress(spec))).not.toThrow()
    if (legacySpec !== undefined) expect(legacySpec).toMatch(/^\d{4}-\d\d-\d\d [a-z/-]+$/)
  })

  it('knows nothing of names out of files', () => {
    expect(guideOf('toString')).toBeUndefined()
    expect(guideOf('session-id')).toBe(GUIDE['session-id'])
  })

  it('is what docs/findings.md says: npx tsx scripts/write-findings.ts', async () => {
    expect(await readFile('docs/findings.md', 'utf8')).toBe(guidePage())
  })
})
