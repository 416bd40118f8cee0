import { Play } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import controls from '../controls/controls.module.css'
import { CopyButton } from '../controls/copy-button'
import { Segments } from '../controls/segments'
import { Visible } from '../text/visible'
import { snippetsFor } from './snippets'
import styles from './welcome.module.css'

interface NoBackendProps {
  form: ReactNode
  /** What other tools have configured. */
  imports: ReactNode
  /** Null when the demo runs or there is none. */
  onDemo: (() => void) | null
  /** This run was started without the demo. */
  noDemo: boolean
  demoError: ReactNode
  configFile: string | null
}

/** Shown while no backend is configured. */
export function NoBackend({ form, imports, onDemo, noDemo, demoError, configFile }: NoBackendProps) {
  return (
    <div className={styles.page}>
      <div className={styles.column}>
        <h2 className={styles.title}>Put Sluice between your client and your servers</h2>
        <p className={styles.lead}>
          Sluice gives your MCP servers one endpoint, and shows every call that passes: which leg it is on, when its
          answer became JSON or a stream, each ping, progress and log as it happens, and every round in which a server
          asks back.
        </p>
        <div className={styles.choices}>
          <section className={styles.choice}>
            <h3>Add a backend</h3>
            {form}
            {configFile !== null && (
              <p className={styles.quiet}>
                Kept in <Visible text={configFile} />
              </p>
            )}
          </section>
          {onDemo !== null && (
            <section className={styles.choice}>
              <h3>Or look at the demo</h3>
              <p className={styles.quiet}>
                Four small servers and a client that calls them in a loop: progress and logs, silence, errors, and a
                booking in three rounds.
              </p>
              <button type="button" className={controls.primary} onClick={onDemo}>
                <Play size={13} aria-hidden /> Start the demo
              </button>
              {demoError}
            </section>
          )}
          {noDemo && (
            <section className={styles.choice}>
              <h3>Or look at the demo</h3>
              <p className={styles.quiet}>
                Start Sluice with <code>--demo</code>: four small servers and a client that calls them in a loop.
              </p>
            </section>
          )}
          <section className={`${styles.choice ?? ''} ${styles.wide ?? ''}`}>
            <h3>Or import from another tool</h3>
            {imports}
          </section>
        </div>
      </div>
    </div>
  )
}

/** Shown while no call has come: how to point a client here. */
export function NoCall({ endpoint, onDemo }: { endpoint: string; onDemo: (() => void) | null }) {
  const snippets = snippetsFor(endpoint)
  const [client, setClient] = useState(snippets[0]?.client ?? '')
  const snippet = snippets.find((each) => each.client === client)
  return (
    <div className={styles.page}>
      <div className={styles.column}>
        <h2 className={styles.title}>Ready. Point a client here</h2>
        <p className={styles.endpoint}>
          <code>{endpoint}</code>
          <CopyButton text={endpoint} what="endpoint" />
        </p>
        <Segments
          label="client"
          value={client}
          options={snippets.map((each) => ({ value: each.client, label: each.client }))}
          onChange={setClient}
        />
        {snippet !== undefined && (
          <div className={styles.snippet}>
            <div className={styles.snippetHead}>
              <span>{snippet.how}</span>
              <CopyButton text={snippet.text} what="snippet" label="copy" />
            </div>
            <pre tabIndex={0}>{snippet.text}</pre>
          </div>
        )}
        <p className={styles.quiet}>
          The first call appears here the moment it arrives.
          {onDemo !== null && (
            <>
              {' '}
              Or{' '}
              <button type="button" className={controls.link} onClick={onDemo}>
                start the demo
              </button>
              .
            </>
          )}
        </p>
      </div>
    </div>
  )
}

/** Shown while the filter matches nothing. */
export function NothingMatches({ total, onClear }: { total: string; onClear: () => void }) {
  return (
    <div className={styles.nothing}>
      <p>None of {total} match this filter.</p>
      <button type="button" className={controls.button} onClick={onClear}>
        Clear filter
      </button>
    </div>
  )
}
