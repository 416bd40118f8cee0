import { useEffect, useRef } from 'react'
import controls from '../controls/controls.module.css'
import styles from './keys-sheet.module.css'

const GROUPS: { title: string; keys: [keys: string, does: string][] }[] = [
  {
    title: 'Calls',
    keys: [
      ['j  k', 'next, previous call'],
      ['g  G', 'first, last call'],
      ['.', 'pause or resume following the newest'],
      ['/', 'filter; Tab completes, Enter or Esc returns'],
      ['Esc', 'close what is open'],
      ['Alt ← →', 'width of the focused column'],
    ],
  },
  {
    title: 'One call',
    keys: [
      ['1 … 7', 'Stream, Rounds, Request, Response, Headers, Findings, Raw'],
      ['[  ]', 'previous, next frame'],
      ['+  −', 'zoom the focused lanes; wheel too'],
      ['← →', 'pan the zoomed lanes; dragging too'],
      ['0', 'fit the lanes'],
      ['r', 'send the call again'],
    ],
  },
  {
    title: 'Captures',
    keys: [
      ['o', 'open a capture'],
      ['p', 'play, pause the capture that is open'],
      ['<  >', 'slower, faster'],
    ],
  },
  {
    title: 'Compose',
    keys: [['Ctrl Enter', 'send the request']],
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
]

/** The sheet of keys, as a modal dialog of the platform: it keeps the focus and closes with Esc. */
export function KeysSheet({ open, onClose }: { open: boolean; onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    if (open) dialog.current?.showModal()
    else dialog.current?.close()
  }, [open])
  return (
    <dialog ref={dialog} className={styles.sheet} aria-labelledby="keys-title" onClose={onClose}>
      <div className={styles.head}>
        <h2 id="keys-title">Keys</h2>
        <button type="button" className={controls.icon} aria-label="close" onClick={onClose}>
          ✕
        </button>
      </div>
      <div className={styles.groups}>
        {GROUPS.map((group) => (
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
