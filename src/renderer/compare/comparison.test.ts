import { describe, expect, it } from 'vitest'
import { Comparison } from './comparison'

describe('Comparison', () => {
  it('takes one call, then another', () => {
    const comparison = new Comparison()
    comparison.choose({ capture: 'c1', call: 4 })
    expect(comparison.store.getState()).toEqual({ chosen: { capture: 'c1', call: 4 }, shown: null })
    comparison.choose({ capture: null, call: 4 })
    const shown = { was: { capture: 'c1', call: 4 }, now: { capture: null, call: 4 } }
    expect(comparison.store.getState()).toEqual({ chosen: null, shown })
    comparison.close()
    expect(comparison.store.getState().shown).toBeNull()
  })

  it('takes what was recorded for the earlier one, whichever was chosen first', () => {
    const comparison = new Comparison()
    comparison.choose({ capture: null, call: 1 })
    comparison.choose({ capture: 'c1', call: 2 })
    expect(comparison.store.getState().shown).toEqual({
      was: { capture: 'c1', call: 2 },
      now: { capture: null, call: 1 },
    })
  })

  it('lets a call go that is chosen twice', () => {
    const comparison = new Comparison()
    comparison.choose({ capture: null, call: 1 })
    comparison.choose({ capture: null, call: 1 })
    expect(comparison.store.getState()).toEqual({ chosen: null, shown: null })
  })
})
