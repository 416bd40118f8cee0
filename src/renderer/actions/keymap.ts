import { ACTION_IDS, ACTIONS, type ActionId } from './catalog'

/** Keys that were chosen instead of the ones in the catalog; null takes an action's key away. */
export type ChosenKeys = Partial<Record<ActionId, string | null>>

/** What a chord needs of a keyboard event. */
export type KeyPress = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>

/** Keys that only change what another key means. */
const MODIFIERS: ReadonlySet<string> = new Set([
  'Shift',
  'Control',
  'Alt',
  'Meta',
  'AltGraph',
  'CapsLock',
  'Dead',
  'Unidentified',
])

/**
 * The chord of a press as the catalog writes it, for instance `j`, `G`, `Mod+k`, `Alt+ArrowLeft`; undefined while only a
 * modifier is held. `Mod` is ⌘ on a Mac and Ctrl elsewhere. Shift is in the key itself.
 */
export function chordOf({ key, ctrlKey, metaKey, altKey }: KeyPress, mac: boolean): string | undefined {
  if (MODIFIERS.has(key)) return undefined
  const mod = mac ? metaKey : ctrlKey
  const other = mac ? ctrlKey : metaKey
  // With a modifier, Caps Lock must not make another chord of it.
  const letter = mod || altKey ? key.toLowerCase() : key
  const name = letter.length === 1 ? letter : key
  return `${mod ? 'Mod+' : ''}${other ? (mac ? 'Ctrl+' : 'Meta+') : ''}${altKey ? 'Alt+' : ''}${name}`
}

/** The key of an action: the chosen one, or that of the catalog. */
export function keyOf(action: ActionId, chosen: ChosenKeys): string | null {
  const own = chosen[action]
  return own === undefined ? ACTIONS[action].key : own
}

/** Which action a chord means. Of two actions with the same key the one that was chosen wins; then the first of the catalog. */
export function actionOf(chord: string, chosen: ChosenKeys): ActionId | undefined {
  const found = ACTION_IDS.filter((id) => keyOf(id, chosen) === chord)
  return found.find((id) => chosen[id] === chord) ?? found[0]
}

/** Other actions that have the same key, so that choosing it would take it from them. */
export function sharedWith(action: ActionId, chord: string, chosen: ChosenKeys): ActionId[] {
  return ACTION_IDS.filter((id) => id !== action && keyOf(id, chosen) === chord)
}

const SHOWN: Readonly<Record<string, string>> = {
  ArrowLeft: '←',
  ArrowRight: '→',
  ArrowUp: '↑',
  ArrowDown: '↓',
  Escape: 'Esc',
  ' ': 'Space',
}

/** A chord for people: `⌘K` on a Mac, `Ctrl K` elsewhere. */
export function shownChord(chord: string, mac: boolean): string {
  const parts = chord.split(/\+(?=.)/)
  const key = parts.pop() ?? chord
  const shown = SHOWN[key] ?? (parts.length > 0 && key.length === 1 ? key.toUpperCase() : key)
  const words: Readonly<Record<string, string>> = mac
    ? { Mod: '⌘', Ctrl: '⌃', Alt: '⌥' }
    : { Mod: 'Ctrl ', Meta: 'Meta ', Alt: 'Alt ' }
  return parts.map((part) => words[part] ?? `${part} `).join('') + shown
}

/** Whether this is a Mac, whose command key is the one that programs use. */
export function isMac(platform: string): boolean {
  return /^mac/i.test(platform)
}
