import { TriangleAlert } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState, type FormEvent } from 'react'
import type { ExportFormat, ExportReport } from '../../shared/api/export'
import controls from '../controls/controls.module.css'
import { Failure } from '../controls/failure'
import { Segments } from '../controls/segments'
import { useCommand } from '../controls/use-command'
import shell from '../shell/shell.module.css'
import { useSource } from '../stores/desk-context'
import { formatBytes, plural } from '../text/format'
import { Visible } from '../text/visible'
import type { Scope, ScopeChoice } from './chosen-calls'
import styles from './captures.module.css'

const ASK_MS = 200
const ENDINGS: Record<ExportFormat, string> = { capture: 'ndjson', har: 'har', html: 'html', json: 'json' }

interface ExportDialogProps {
  /** Of the capture, to name the file by. */
  name: string
  scopes: readonly ScopeChoice[]
  onClose: () => void
}

/** Writes calls into a file: redacted, or with what is sensitive, which is asked for once more. */
export function ExportDialog({ name, scopes, onClose }: ExportDialogProps) {
  const { connection, id } = useSource()
  const dialog = useRef<HTMLDialogElement>(null)
  const { run, error } = useCommand('capture.export')
  const [scope, setScope] = useState<Scope>(scopes[0]?.scope ?? 'all')
  const [format, setFormat] = useState<ExportFormat>('capture')
  const [path, setPath] = useState<string | null>(null)
  const [confirming, setConfirming] = useState(false)
  const [wasAsked, setWasAsked] = useState(false)
  const [report, setReport] = useState<ExportReport | null>(null)
  /** By which the export that runs is asked for. */
  const [exporting, setExporting] = useState<string | null>(null)
  useEffect(() => dialog.current?.showModal(), [])
  const proposed = `${name.replace(/\.[^.]*$/, '')}-export.${ENDINGS[format]}`
  const write = async (sensitive: boolean) => {
    const to =
      connection.files === undefined ? (path ?? proposed).trim() : await connection.files.chooseTarget(proposed)
    if (to === null || to === '') return
    const calls = scopes.find((each) => each.scope === scope)?.calls() ?? null
    const own = newName()
    setExporting(own)
    const answer = await run({
      ...(id === null ? {} : { capture: id }),
      ...(calls === null ? {} : { calls }),
      format,
      to,
      sensitive,
      // The dialog of the system has asked before it gives a path that is taken.
      replace: connection.files !== undefined,
      export: own,
    })
    setExporting(null)
    setConfirming(false)
    if (answer !== undefined) setReport(answer)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void write(false)
  }
  return (
    <dialog ref={dialog} className={shell.adder} aria-labelledby="export-title" onClose={onClose}>
      <h2 id="export-title">Export calls</h2>
      {report !== null ? (
        <Written report={report} onClose={onClose} />
      ) : (
        <form className={controls.stack} onSubmit={submit}>
          <div className={controls.field}>
            <span className={controls.fieldLabel}>Which</span>
            <Segments
              label="which calls"
              value={scope}
              options={scopes.map((each) => ({ value: each.scope, label: each.label }))}
              onChange={setScope}
            />
          </div>
          <div className={controls.field}>
            <span className={controls.fieldLabel}>As</span>
            <Segments
              label="format"
              value={format}
              options={[
                { value: 'capture', label: 'capture' },
                { value: 'har', label: 'HAR 1.2' },
                { value: 'html', label: 'HTML report' },
                { value: 'json', label: 'JSON' },
              ]}
              onChange={setFormat}
            />
          </div>
          {connection.files === undefined && (
            <label className={controls.field}>
              <span className={controls.fieldLabel}>Path on the machine on which Sluice runs</span>
              <input
                className={controls.input}
                value={path ?? proposed}
                onChange={(event) => setPath(event.target.value)}
              />
            </label>
          )}
          {!confirming && (
            <p className={styles.quiet}>
              Redacted: what looks like a secret by its name, request states, and contents of files are taken out.
            </p>
          )}
          {error !== null && <Failure what="It was not exported." error={error} />}
          {exporting !== null ? (
            <Exporting name={exporting} />
          ) : confirming ? (
            <div className={styles.confirm} role="alert">
              <p>
                <TriangleAlert size={13} aria-hidden /> Tokens, passwords, request states and contents of files stay in,
                but for what was redacted when it was recorded. Whoever gets the file can read and use them.
              </p>
              <div className={controls.buttons}>
                <button type="button" className={controls.button} onClick={() => void write(true)}>
                  Write with sensitive data
                </button>
                <button
                  type="button"
                  className={controls.button}
                  autoFocus
                  onClick={() => {
                    setConfirming(false)
                    setWasAsked(true)
                  }}
                >
                  Back
                </button>
              </div>
            </div>
          ) : (
            <div className={controls.buttons}>
              <button type="submit" className={controls.primary}>
                Export redacted
              </button>
              <button type="button" className={controls.button} onClick={onClose}>
                Cancel
              </button>
              <span className={styles.spring} />
              <button
                type="button"
                className={controls.button}
                autoFocus={wasAsked}
                onClick={() => setConfirming(true)}
              >
                With sensitive data…
              </button>
            </div>
          )}
        </form>
      )}
    </dialog>
  )
}

/** How far it is; the page asks while it is written. */
function Exporting({ name }: { name: string }) {
  const { connection } = useSource()
  const [progress, setProgress] = useState<{ done: number; total: number } | null>(null)
  const [stopping, setStopping] = useState(false)
  const ask = useEffectEvent(async () => {
    try {
      setProgress((await connection.command('capture.exporting', { export: name })).progress)
    } catch {
      // The export itself tells what is wrong.
      setProgress(null)
    }
  })
  // Who closes the dialog does not want the file; what is written already does not stop.
  const leave = useEffectEvent(() => void connection.command('capture.stopExport', { export: name }).catch(() => null))
  useEffect(() => {
    void ask()
    const timer = setInterval(() => void ask(), ASK_MS)
    return () => {
      clearInterval(timer)
      leave()
    }
  }, [])
  const stop = () => {
    setStopping(true)
    void connection.command('capture.stopExport', { export: name }).catch(() => setStopping(false))
  }
  const share = progress === null || progress.total === 0 ? null : progress.done / progress.total
  return (
    <div className={styles.exporting} role="status" data-testid="exporting">
      <progress className={styles.progress} aria-label="writing" {...(share === null ? {} : { value: share })} />
      <span className={styles.quiet}>{share === null ? 'Writing…' : `Writing… ${Math.floor(share * 100)} %`}</span>
      <button type="button" className={controls.button} autoFocus disabled={stopping} onClick={stop}>
        Stop
      </button>
    </div>
  )
}

function newName(): string {
  return `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`
}

function Written({ report, onClose }: { report: ExportReport; onClose: () => void }) {
  const { file, calls, bytes, notes, hints } = report
  return (
    <div className={controls.stack} role="status" data-testid="exported">
      <p>
        {plural(calls, 'call')}, {formatBytes(bytes)}, written to{' '}
        <code className={styles.path}>
          <Visible text={file} />
        </code>
      </p>
      {hints.length > 0 && (
        <div className={styles.confirm}>
          <p>
            <TriangleAlert size={13} aria-hidden /> What was written has text that looks like secrets. Look before you
            share it:
          </p>
          <ul className={styles.hints}>
            {hints.map((hint, index) => (
              <li key={index}>
                <Visible text={hint} />
              </li>
            ))}
          </ul>
        </div>
      )}
      {notes.map((note) => (
        <p key={note} className={styles.quiet}>
          <Visible text={note} />
        </p>
      ))}
      <div className={controls.buttons}>
        <button type="button" className={controls.primary} autoFocus onClick={onClose}>
          Close
        </button>
      </div>
    </div>
  )
}
