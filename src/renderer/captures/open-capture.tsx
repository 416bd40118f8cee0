import { FolderOpen } from 'lucide-react'
import { useEffect, useRef, useState, type FormEvent } from 'react'
import controls from '../controls/controls.module.css'
import shell from '../shell/shell.module.css'
import { useDesk } from '../stores/desk-context'
import styles from './captures.module.css'

/** Where no dialog of the system knows paths: a path on this machine, or files that are handed over. */
export function OpenCaptureDialog({ onClose }: { onClose: () => void }) {
  const { captures } = useDesk()
  const dialog = useRef<HTMLDialogElement>(null)
  const files = useRef<HTMLInputElement>(null)
  const [path, setPath] = useState('')
  useEffect(() => dialog.current?.showModal(), [])
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (path.trim() === '') return
    onClose()
    await captures.open(path.trim())
  }
  const give = async (given: FileList | null) => {
    const chosen = [...(given ?? [])]
    onClose()
    for (const file of chosen) await captures.openGiven(file)
  }
  return (
    <dialog ref={dialog} className={shell.adder} aria-labelledby="opener-title" onClose={onClose}>
      <h2 id="opener-title">Open a capture</h2>
      <div className={styles.opener}>
        <form onSubmit={(event) => void submit(event)}>
          <label className={controls.field}>
            <span className={controls.fieldLabel}>Path of a capture or a HAR on the machine on which Sluice runs</span>
            <span className={styles.row}>
              <input
                className={controls.input}
                value={path}
                placeholder="/home/ada/captures/friday.ndjson"
                onChange={(event) => setPath(event.target.value)}
              />
              <button type="submit" className={controls.primary} disabled={path.trim() === ''}>
                Open
              </button>
            </span>
          </label>
        </form>
        <div>
          <input
            ref={files}
            type="file"
            multiple
            hidden
            data-testid="capture-files"
            onChange={(event) => void give(event.target.files)}
          />
          <button type="button" className={controls.button} onClick={() => files.current?.click()}>
            <FolderOpen size={13} aria-hidden /> Choose files…
          </button>
        </div>
        <p className={styles.quiet}>
          Or drop files on this window. Files that are chosen or dropped are copied to Sluice, and the copy goes when
          they are closed. Of a HAR a capture is made. Nothing of a file is run or called.
        </p>
      </div>
    </dialog>
  )
}
