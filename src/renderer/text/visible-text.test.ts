import { describe, expect, it } from 'vitest'
import { visibleParts, visibleString } from './visible-text'

describe('visibleParts', () => {
  it('leaves ordinary text of any script alone', () => {
    for (const text of ['forecast', 'Grüße, 世界', 'مرحبا', 'naïve — “quoted”', ''])
      expect(visibleParts(text)).toEqual([{ text }])
  })
  it.each([
    ['\u0000', '⟨U+0000⟩'],
    ['\u001b[31m', '⟨U+001B⟩[31m'],
    ['a\u007fb', 'a⟨U+007F⟩b'],
    ['\u0085', '⟨U+0085⟩'],
    ['safe\u202egnp.exe', 'safe⟨U+202E⟩gnp.exe'],
    ['a\u2066b\u2069', 'a⟨U+2066⟩b⟨U+2069⟩'],
    ['pay\u200bpal', 'pay⟨U+200B⟩pal'],
    ['\ufeffx', '⟨U+FEFF⟩x'],
    ['tag\u{e0041}', 'tag⟨U+E0041⟩'],
    ['half\ud83d', 'half⟨U+D83D⟩'],
    ['one\ntwo\tthree\r', 'one↵two⇥three⟨U+000D⟩'],
  ])('gives a sign to what cannot be seen: %j', (text, shown) => {
    expect(visibleString(text)).toBe(shown)
  })
  it('names the character that a sign stands for', () => {
    expect(visibleParts('a\u202e')).toEqual([
      { text: 'a' },
      { text: '⟨U+202E⟩', stands: 'U+202E right-to-left override' },
    ])
  })
  it('keeps line feeds and tabs in a block, but not carriage returns', () => {
    expect(
      visibleParts('a\n\tb\r\n', 'block')
        .map((part) => part.text)
        .join(''),
    ).toBe('a\n\tb⟨U+000D⟩\n')
  })
  it('keeps joiners where writing needs them and shows them where they hide', () => {
    expect(visibleString('👩\u200d💻')).toBe('👩\u200d💻')
    expect(visibleString('می\u200cخواهم')).toBe('می\u200cخواهم')
    expect(visibleString('ad\u200dmin')).toBe('ad⟨U+200D⟩min')
    expect(visibleString('ad\u200cmin')).toBe('ad⟨U+200C⟩min')
  })
})
