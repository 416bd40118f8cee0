import { TriangleAlert } from 'lucide-react'
import { useEffect, useRef } from 'react'
import controls from '../controls/controls.module.css'
import shell from '../shell/shell.module.css'
import styles from './copy-call.module.css'

interface CopySensitiveProps {
  /** What can be copied, by its name in the menu. */
  forms: readonly { label: string; copy: () => void }[]
  onClose: () => void
}

/** Asks once more before a call is copied with what is secret in it. */
export function CopySensitive({ forms, onClose }: CopySensitiveProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const cancel = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    dialog.current?.showModal()
    cancel.current?.focus()
  }, [])
  return (
    <dialog ref={dialog} className={shell.adder} aria-labelledby="copy-sensitive-title" onClose={onClose}>
      <h2 id="copy-sensitive-title">Copy with sensitive data</h2>
      <p className={styles.warning}>
        <TriangleAlert size={13} aria-hidden /> Tokens, passwords and request states of this call stay in, but for what
        was redacted when it was recorded. Whoever gets the text can read and use them.
      </p>
      <div className={controls.buttons}>
        {forms.map(({ label, copy }) => (
          <button
            key={label}
            type="button"
            className={controls.button}
            onClick={() => {
              copy()
              onClose()
            }}
          >
            {label}
          </button>
        ))}
        <button ref={cancel} type="button" className={controls.button} onClick={onClose}>
          Cancel
        </button>
      </div>
    </dialog>
  )
}
