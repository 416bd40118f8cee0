import { describe, expect, it } from 'vitest'
import { ACTION_IDS, ACTIONS } from './catalog'
import { actionOf, chordOf, keyOf, sharedWith, shownChord, type KeyPress } from './keymap'

const press = (key: string, held: Partial<KeyPress> = {}): KeyPress => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  ...held,
})

describe('chordOf', () => {
  it.each<[string, KeyPress, boolean, string | undefined]>([
    ['a letter', press('j'), false, 'j'],
    ['a capital', press('G'), false, 'G'],
    ['Ctrl on Linux', press('k', { ctrlKey: true }), false, 'Mod+k'],
    ['⌘ on a Mac', press('k', { metaKey: true }), true, 'Mod+k'],
    ['Ctrl on a Mac is another key', press('k', { ctrlKey: true }), true, 'Ctrl+k'],
    ['the Windows key is another key', press('k', { metaKey: true }), false, 'Meta+k'],
    ['Caps Lock with a modifier', press('K', { ctrlKey: true }), false, 'Mod+k'],
    ['a named key', press('ArrowLeft', { altKey: true }), false, 'Alt+ArrowLeft'],
    ['only a modifier', press('Shift'), false, undefined],
    ['a dead key', press('Dead'), false, undefined],
  ])('%s', (_what, pressed, mac, chord) => {
    expect(chordOf(pressed, mac)).toBe(chord)
  })
})

describe('the keys', () => {
  it('of the catalog are each for one action', () => {
    const keys = ACTION_IDS.map((id) => ACTIONS[id].key).filter((key) => key !== null)
    expect(new Set(keys).size).toBe(keys.length)
  })

  it('that were chosen count instead', () => {
    expect(actionOf('j', {})).toBe('calls.next')
    expect(actionOf('n', { 'calls.next': 'n' })).toBe('calls.next')
    expect(actionOf('j', { 'calls.next': 'n' })).toBeUndefined()
    expect(keyOf('calls.next', { 'calls.next': null })).toBeNull()
  })

  it('go to the action that chose them, when two have the same', () => {
    const chosen = { 'captures.open': 'j' }
    expect(actionOf('j', chosen)).toBe('captures.open')
    expect(sharedWith('captures.open', 'j', chosen)).toEqual(['calls.next'])
    expect(sharedWith('calls.next', 'j', {})).toEqual([])
  })
})

describe('shownChord', () => {
  it.each([
    ['Mod+k', true, '⌘K'],
    ['Mod+k', false, 'Ctrl K'],
    ['Alt+ArrowLeft', true, '⌥←'],
    ['Alt+ArrowLeft', false, 'Alt ←'],
    ['G', false, 'G'],
    ['j', false, 'j'],
    ['+', false, '+'],
    ['Mod++', false, 'Ctrl +'],
    ['Escape', false, 'Esc'],
  ])('%s', (chord, mac, shown) => {
    expect(shownChord(chord, mac)).toBe(shown)
  })
})
