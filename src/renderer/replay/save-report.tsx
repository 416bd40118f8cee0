import { Save } from 'lucide-react'
import { useState } from 'react'
import type { ReplayStatus } from '../../shared/api/replay'
import controls from '../controls/controls.module.css'
import { TargetDialog } from '../controls/target-dialog'
import { useCommand } from '../controls/use-command'
import page from '../controls/page.module.css'
import { useDesk } from '../stores/desk-context'
import { Visible } from '../text/visible'
import styles from './replay.module.css'

/** Writes the report into a file. */
export function SaveReport({ status }: { status: ReplayStatus }) {
  const { connection } = useDesk()
  const { run, running, error, clearError } = useCommand('replay.save')
  const [asking, setAsking] = useState(false)
  const [saved, setSaved] = useState<string | null>(null)
  const name = `${status.name.replace(/\.[^.]*$/, '')}-replay.json`
  const save = async (to: string) => {
    // The dialog of the system has asked before it gives a path that is taken.
    const answer = await run({ replay: status.id, to, replace: connection.files !== undefined })
    if (answer === undefined) return
    setSaved(answer.file)
    setAsking(false)
  }
  const begin = async () => {
    const { files } = connection
    if (files === undefined) return setAsking(true)
    const to = await files.chooseTarget(name)
    if (to !== null) await save(to)
  }
  return (
    <>
      {saved !== null && error === null && (
        <span className={page.quiet} role="status">
          written to <Visible text={saved} />
        </span>
      )}
      {error !== null && !asking && (
        <span className={styles.reason} role="alert">
          <Visible text={error.message} />
        </span>
      )}
      <button type="button" className={controls.button} disabled={running} onClick={() => void begin()}>
        <Save size={13} aria-hidden /> Save report…
      </button>
      {asking && (
        <TargetDialog
          title="Save the report"
          name={name}
          action="Save"
          running={running}
          error={error}
          onChoose={(to) => void save(to)}
          onClose={() => {
            setAsking(false)
            clearError()
          }}
        />
      )}
    </>
  )
}
