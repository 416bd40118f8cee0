import { useId, type ReactNode } from 'react'
import controls from '../controls/controls.module.css'
import styles from './backend-form.module.css'

interface TextFieldProps {
  label: string
  value: string
  placeholder: string
  /** What is wrong with it; shown and announced. */
  problem: string | null
  /** Under the field. */
  note?: ReactNode
  onChange: (value: string) => void
}

/** A labelled line of text with what is wrong with it. */
export function TextField({ label, value, placeholder, problem, note, onChange }: TextFieldProps) {
  const id = useId()
  return (
    <div className={controls.field}>
      <label className={controls.fieldLabel} htmlFor={id}>
        {label}
      </label>
      <input
        id={id}
        className={controls.input}
        value={value}
        placeholder={placeholder}
        autoComplete="off"
        spellCheck={false}
        aria-invalid={problem !== null}
        aria-describedby={problem === null ? undefined : `${id}-problem`}
        onChange={(event) => onChange(event.target.value)}
      />
      {problem !== null && (
        <span id={`${id}-problem`} className={styles.problem}>
          {problem}
        </span>
      )}
      {note}
    </div>
  )
}
