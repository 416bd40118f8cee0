import { useId, useState } from 'react'
import { isObject, type JsonObject } from '../../shared/protocol/json-rpc'
import controls from '../controls/controls.module.css'
import { Visible } from '../text/visible'
import styles from './answer.module.css'
import type { AskProps } from './ask-card'
import { relativeFolders, rootsResult } from './ask-draft'

/** Folders, one a line; the backend gets them as `file:` URIs. */
export function RootsAnswer({ value, onChange }: AskProps & { value: JsonObject }) {
  const id = useId()
  const [lines, setLines] = useState(() => urisOf(value).join('\n'))
  const [relative] = relativeFolders(lines.split('\n'))
  return (
    <div className={controls.field}>
      <label className={controls.fieldLabel} htmlFor={id}>
        Folders, one a line; the backend sees their paths and nothing in them
      </label>
      <textarea
        id={id}
        className={controls.input}
        rows={3}
        value={lines}
        placeholder="/home/me/project"
        spellCheck={false}
        onChange={(event) => {
          setLines(event.target.value)
          onChange({ text: JSON.stringify(rootsResult(event.target.value.split('\n')), null, 2) })
        }}
      />
      {relative !== undefined && (
        <p className={styles.quiet} role="status">
          <Visible text={relative} /> is sent as /<Visible text={relative} />: write where it begins, for instance
          /home/me/project.
        </p>
      )}
    </div>
  )
}

function urisOf({ roots }: JsonObject): string[] {
  return Array.isArray(roots) ? roots.filter(isObject).map(({ uri }) => String(uri)) : []
}
