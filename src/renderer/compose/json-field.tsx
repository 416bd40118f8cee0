import { useState } from 'react'
import type { JsonValue } from '../../shared/protocol/json-rpc'
import controls from '../controls/controls.module.css'
import { Visible } from '../text/visible'
import styles from './schema-form.module.css'

interface JsonFieldProps {
  id: string
  labelId: string
  value: JsonValue | undefined
  /** Why there is no form, in words; null when that needs no explanation. */
  why: string | null
  onChange: (value: JsonValue | undefined) => void
}

/** A value as JSON, where its schema is no form. What is no JSON yet stays here. */
export function JsonField({ id, labelId, value, why, onChange }: JsonFieldProps) {
  const [typed, setTyped] = useState<string | null>(null)
  const text = typed ?? (value === undefined ? '' : JSON.stringify(value, null, 2))
  const problem = typed === null ? null : problemOf(typed)
  const set = (next: string) => {
    setTyped(next)
    if (next.trim() === '') onChange(undefined)
    else if (problemOf(next) === null) onChange(JSON.parse(next) as JsonValue)
  }
  return (
    <>
      {why !== null && (
        <p className={styles.description}>
          <Visible text={why} />
        </p>
      )}
      <textarea
        id={id}
        aria-labelledby={labelId}
        className={`${controls.input ?? ''} ${styles.json ?? ''}`}
        rows={Math.min(8, text.split('\n').length)}
        value={text}
        placeholder="JSON"
        aria-invalid={problem !== null}
        spellCheck={false}
        onChange={(event) => set(event.target.value)}
        onBlur={() => {
          if (problem === null) setTyped(null)
        }}
      />
      {problem !== null && (
        <p className={styles.problem} role="alert">
          is no JSON yet: {problem}
        </p>
      )}
    </>
  )
}

function problemOf(text: string): string | null {
  if (text.trim() === '') return null
  try {
    JSON.parse(text)
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
