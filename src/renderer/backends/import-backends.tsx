import { useEffect, useState } from 'react'
import type { ImportableFile, ImportableServer } from '../../shared/api/contract'
import controls from '../controls/controls.module.css'
import { Failure } from '../controls/failure'
import { useCommand } from '../controls/use-command'
import { useDesk } from '../stores/desk-context'
import { plural } from '../text/format'
import { Visible } from '../text/visible'
import { visibleString } from '../text/visible-text'
import styles from './import-backends.module.css'

/** What other tools on this machine have configured; nothing is added before the button is pressed. */
export function ImportBackends({ onDone }: { onDone?: () => void }) {
  const desk = useDesk()
  const { run: read, running: reading, error: readError } = useCommand('config.importable')
  const adding = useCommand('config.import')
  const [files, setFiles] = useState<ImportableFile[] | null>(null)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  useEffect(() => {
    void read({}).then((answer) => answer !== undefined && setFiles(answer.files))
  }, [read])

  const add = async () => {
    for (const { file, servers } of files ?? []) {
      const names = servers.map(({ name }) => name).filter((name) => chosen.has(keyOf(file, name)))
      if (names.length > 0 && (await adding.run({ file, names })) === undefined) break
    }
    setChosen(new Set())
    await desk.refreshStatus()
    const answer = await read({})
    if (answer !== undefined) setFiles(answer.files)
  }
  const addAll = async () => {
    await add()
    onDone?.()
  }
  const toggle = (key: string) => {
    const next = new Set(chosen)
    if (!next.delete(key)) next.add(key)
    setChosen(next)
  }
  if (readError !== null)
    return (
      <Failure what="The files of other tools could not be read." error={readError} onRetry={() => void read({})} />
    )
  if (files === null) return <p className={styles.quiet}>{reading ? 'Looking for configurations…' : ''}</p>
  if (files.length === 0)
    return (
      <p className={styles.quiet}>
        None found. Looked for the files of Claude Code, Claude Desktop, Cursor, VS Code, Windsurf, Gemini CLI and Zed,
        of this user and of the folder that Sluice was started in.
      </p>
    )
  return (
    <div className={styles.import} data-testid="import-backends">
      {files.map((file) => (
        <FileOfTool key={file.file} file={file} chosen={chosen} onToggle={toggle} />
      ))}
      {adding.error !== null && <Failure what="Not everything was added." error={adding.error} />}
      <div className={styles.actions}>
        <button
          type="button"
          className={controls.primary}
          disabled={chosen.size === 0 || adding.running}
          onClick={() => void addAll()}
        >
          {adding.running ? 'Adding…' : chosen.size === 0 ? 'Add backends' : `Add ${plural(chosen.size, 'backend')}`}
        </button>
        <span className={styles.quiet}>
          Commands are started when they are added. The tool’s own file stays as it is.
        </span>
      </div>
    </div>
  )
}

interface FileProps {
  file: ImportableFile
  chosen: ReadonlySet<string>
  onToggle: (key: string) => void
}

function FileOfTool({ file, chosen, onToggle }: FileProps) {
  return (
    <fieldset className={styles.file}>
      <legend>
        {file.client}
        <span className={styles.path} title={visibleString(file.file)}>
          {file.scope === 'project' ? 'this folder · ' : ''}
          <Visible text={file.file} />
        </span>
      </legend>
      {file.problem !== null && (
        <p className={styles.problem}>
          <Visible text={file.problem} />
        </p>
      )}
      {file.problem === null && file.servers.length === 0 && <p className={styles.quiet}>It names no servers.</p>}
      {file.servers.map((server) => (
        <Server
          key={server.name}
          server={server}
          on={chosen.has(keyOf(file.file, server.name))}
          onToggle={() => onToggle(keyOf(file.file, server.name))}
        />
      ))}
    </fieldset>
  )
}

function Server({ server, on, onToggle }: { server: ImportableServer; on: boolean; onToggle: () => void }) {
  const { name, as, target, kind, variables, problem } = server
  return (
    <label className={styles.server} data-off={problem !== null || undefined} data-testid="importable">
      <input type="checkbox" checked={on} disabled={problem !== null} onChange={onToggle} />
      <span className={styles.name} title={visibleString(name === as ? name : `${as}, there “${name}”`)}>
        <Visible text={as} />
      </span>
      <span className={styles.what}>
        <code title={visibleString(target)}>
          <Visible text={target === '' ? 'nothing to reach' : target} />
        </code>
        {variables.length > 0 && (
          <span className={styles.variables} title={visibleString(variables.join(', '))}>
            {kind === 'command' ? 'sets ' : 'sends '}
            <Visible text={variables.join(', ')} />
          </span>
        )}
        {problem !== null && (
          <span className={styles.why}>
            not possible: <Visible text={problem} />
          </span>
        )}
      </span>
    </label>
  )
}

function keyOf(file: string, name: string): string {
  return JSON.stringify([file, name])
}
