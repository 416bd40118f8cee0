import { ExternalLink } from 'lucide-react'
import controls from '../controls/controls.module.css'
import { Failure } from '../controls/failure'
import { useCommand } from '../controls/use-command'
import { Visible } from '../text/visible'
import type { AskProps } from './ask-card'
import { hostOf } from './ask-draft'
import styles from './answer.module.css'

/**
 * An address that the backend wants to have opened (client/elicitation, URL mode). It is text until the user consents,
 * and then main looks at it once more.
 */
export function UrlAnswer({ id, ask, draft, onChange }: AskProps) {
  const { run, running, error } = useCommand('compose.openUrl')
  const { url } = ask.params
  const host = hostOf(url)
  const open = async () => {
    const answer = await run({ id, key: ask.key })
    if (answer === undefined) return
    if (!answer.opened) window.open(answer.url, '_blank', 'noopener,noreferrer')
    onChange({ action: 'accept' })
  }
  return (
    <div className={styles.url}>
      {host === null ? (
        <p className={styles.problem}>This is no address that can be opened, so it cannot be accepted.</p>
      ) : (
        <p className={styles.host} data-testid="url-host">
          <Visible text={host} />
        </p>
      )}
      <code className={styles.address}>
        <Visible text={String(url)} />
      </code>
      {host !== null && (
        <>
          <p className={styles.quiet}>
            Look at the host: what you do there is between you and it. Accepting tells the backend only that you agree.
          </p>
          <button
            type="button"
            className={controls.button}
            disabled={running || draft.action !== 'accept'}
            onClick={() => void open()}
          >
            <ExternalLink size={12} aria-hidden /> Open {host.slice(0, 60)} in the browser
          </button>
        </>
      )}
      {error !== null && <Failure what="The address was not opened." error={error} />}
    </div>
  )
}
