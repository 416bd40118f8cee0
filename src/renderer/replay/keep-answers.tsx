import { Stamp } from 'lucide-react'
import { useState } from 'react'
import type { ReplayStatus } from '../../shared/api/replay'
import controls from '../controls/controls.module.css'
import { useCommand } from '../controls/use-command'
import page from '../controls/page.module.css'
import { plural } from '../text/format'
import { Visible } from '../text/visible'
import styles from './replay.module.css'

/** Makes the new answers what is expected from now on; asked for once more, since the capture's file is written anew. */
export function KeepAnswers({ status, different }: { status: ReplayStatus; different: number }) {
  const { run, running, error } = useCommand('replay.keep')
  const [asking, setAsking] = useState(false)
  const [wasAsked, setWasAsked] = useState(false)
  const [done, setDone] = useState<{ updated: number; kept: number[] } | null>(null)
  if (status.capture === null || different === 0) return null
  if (done !== null) {
    const rest = done.kept.length === 0 ? '' : `; ${plural(done.kept.length, 'call')} left as recorded`
    return (
      <span className={page.quiet} role="status" tabIndex={-1} ref={(element) => element?.focus()}>
        {plural(done.updated, 'call')} kept{rest}
      </span>
    )
  }
  const keep = async () => {
    const answer = await run({ replay: status.id })
    setAsking(false)
    if (answer !== undefined) setDone(answer)
  }
  return (
    <>
      {error !== null && (
        <span className={styles.reason} role="alert">
          <Visible text={error.message} />
        </span>
      )}
      {asking ? (
        <>
          <span className={page.quiet}>
            The recorded answers of {plural(different, 'operation')} give way in the file.
          </span>
          <button type="button" className={controls.button} disabled={running} onClick={() => void keep()}>
            Keep the new ones
          </button>
          <button
            type="button"
            className={controls.button}
            autoFocus
            onClick={() => {
              setAsking(false)
              setWasAsked(true)
            }}
          >
            Back
          </button>
        </>
      ) : (
        <button type="button" className={controls.button} autoFocus={wasAsked} onClick={() => setAsking(true)}>
          <Stamp size={13} aria-hidden /> Keep as expectation…
        </button>
      )}
    </>
  )
}
