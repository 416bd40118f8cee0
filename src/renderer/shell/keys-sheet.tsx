import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import { ACTION_GROUPS, ACTION_IDS, ACTIONS, type ActionId } from '../actions/catalog'
import { chordOf, isMac, keyOf, sharedWith, shownChord } from '../actions/keymap'
import controls from '../controls/controls.module.css'
import { useDesk, usePreferences } from '../stores/desk-context'
import styles from './keys-sheet.module.css'

/** Keys that belong to what has the focus, and cannot be chosen. */
const FIXED: { title: string; keys: [keys: string, does: string][] }[] = [
  {
    title: 'Lanes',
    keys: [
      ['+  −', 'zoom; wheel too'],
      ['← →', 'pan; dragging too'],
      ['0', 'fit'],
    ],
  },
  {
    title: 'In compose',
    keys: [
      ['Ctrl Enter', 'send the request'],
      ['F8', 'next problem in the JSON'],
    ],
  },
  {
    title: 'JSON',
    keys: [
      ['↑ ↓', 'move by line'],
      ['← →', 'fold, unfold'],
      ['c  p', 'copy the value, the path'],
      ['Enter', 'next match while searching'],
    ],
  },
  {
    title: 'Table',
    keys: [
      ['← →', 'collapse, expand a group'],
      ['Alt ← →', 'width of the focused column'],
      ['Tab', 'in the filter: complete'],
    ],
  },
]

/** The sheet of keys, where they can be chosen; as a modal dialog of the platform: it keeps the focus and closes with Esc. */
export function KeysSheet({ onClose }: { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const { preferences } = useDesk()
  const chosen = usePreferences((state) => state.keys)
  const [asked, setAsked] = useState<ActionId | null>(null)
  const [taken, setTaken] = useState<string | null>(null)
  useEffect(() => dialog.current?.showModal(), [])
  const mac = isMac(navigator.platform)

  const onKeyDown = (event: KeyboardEvent) => {
    if (asked === null) return
    const chord = chordOf(event, mac)
    if (chord === undefined) return
    event.preventDefault()
    event.stopPropagation()
    setAsked(null)
    if (chord === 'Escape' && ACTIONS[asked].key !== 'Escape') return
    const key = chord === 'Backspace' || chord === 'Delete' ? null : chord
    const others = key === null ? [] : sharedWith(asked, key, chosen)
    setTaken(
      others.length === 0
        ? null
        : `${shownChord(chord, mac)} was the key of “${ACTIONS[others[0] ?? asked].title}”, which has none now.`,
    )
    const without = Object.fromEntries(others.map((id) => [id, null]))
    preferences.setState({ keys: { ...chosen, ...without, [asked]: key } })
  }
  return (
    <dialog
      ref={dialog}
      className={styles.sheet}
      aria-labelledby="keys-title"
      onClose={onClose}
      onKeyDown={onKeyDown}
      onCancel={(event) => {
        // Esc ends the asking before it closes the sheet.
        if (asked !== null) event.preventDefault()
      }}
    >
      <div className={styles.head}>
        <h2 id="keys-title">Keys</h2>
        <span className={styles.hint} role="status">
          {asked !== null
            ? `Press the key for “${ACTIONS[asked].title}”; Backspace for none, Esc to leave it.`
            : (taken ?? 'Choose a key to change it.')}
        </span>
        <button
          type="button"
          className={controls.button}
          disabled={Object.keys(chosen).length === 0}
          onClick={() => {
            preferences.setState({ keys: {} })
            setTaken(null)
          }}
        >
          Reset
        </button>
        <button type="button" className={controls.icon} aria-label="close" onClick={() => dialog.current?.close()}>
          ✕
        </button>
      </div>
      <div className={styles.groups}>
        {ACTION_GROUPS.map((group) => (
          <section key={group}>
            <h3>{group}</h3>
            <dl>
              {ACTION_IDS.filter((id) => ACTIONS[id].group === group).map((id) => {
                const key = keyOf(id, chosen)
                return (
                  <div key={id} className={styles.key}>
                    <dt>
                      <button
                        type="button"
                        data-asked={asked === id || undefined}
                        data-chosen={chosen[id] !== undefined || undefined}
                        aria-label={`key for ${ACTIONS[id].title}: ${key === null ? 'none' : shownChord(key, mac)}; change`}
                        onClick={() => setAsked(id)}
                      >
                        <kbd>{asked === id ? '…' : key === null ? '—' : shownChord(key, mac)}</kbd>
                      </button>
                    </dt>
                    <dd>{ACTIONS[id].title}</dd>
                  </div>
                )
              })}
            </dl>
          </section>
        ))}
        {FIXED.map((group) => (
          <section key={group.title}>
            <h3>{group.title}</h3>
            <dl>
              {group.keys.map(([keys, does]) => (
                <div key={keys} className={styles.key}>
                  <dt>
                    <kbd>{keys}</kbd>
                  </dt>
                  <dd>{does}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </dialog>
  )
}
