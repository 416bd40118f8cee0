import type { Notice } from './notice'
import { plainText } from './plain-text'

/** Long enough for two paths and a sentence. */
const MAX_TEXT = 2_000

/** On stderr, in one line. Notices quote what servers said of themselves, which must not command the terminal. */
export function printNotice({ level, text }: Notice): void {
  console.error(`sluice: ${level === 'warning' ? 'warning: ' : ''}${plainText(text, MAX_TEXT)}`)
}
