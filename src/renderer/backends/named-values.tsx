import { Plus, X } from 'lucide-react'
import { useId, type ReactNode } from 'react'
import controls from '../controls/controls.module.css'
import type { Variable } from './check-backend'
import styles from './backend-form.module.css'

interface NamedValuesProps {
  legend: ReactNode
  /** What one of them is, for instance `variable`. */
  noun: string
  values: readonly Variable[]
  namePlaceholder: string
  valuePlaceholder: string
  /** What is wrong with them; shown and announced. */
  problem: string | null
  onChange: (values: Variable[]) => void
}

/** A mark that stands for a value that is kept and not shown. */
export const KEPT = /^«kept \d+»$/

/** Names with values, one pair a line. */
export function NamedValues(props: NamedValuesProps) {
  const { legend, noun, values, namePlaceholder, valuePlaceholder, problem, onChange } = props
  const id = useId()
  const about = { 'aria-invalid': problem !== null, 'aria-describedby': problem === null ? undefined : id }
  return (
    <fieldset className={styles.rows}>
      <legend>{legend}</legend>
      {values.map((one, index) => (
        <div key={index} className={styles.row}>
          <input
            className={`${controls.input ?? ''} ${styles.variable ?? ''}`}
            value={one.name}
            placeholder={namePlaceholder}
            aria-label={`name of ${noun} ${index + 1}`}
            autoComplete="off"
            spellCheck={false}
            {...about}
            onChange={(event) => onChange(values.with(index, { ...one, name: event.target.value }))}
          />
          <input
            className={controls.input}
            value={one.value}
            placeholder={valuePlaceholder}
            aria-label={`value of ${noun} ${index + 1}`}
            autoComplete="off"
            spellCheck={false}
            data-kept={KEPT.test(one.value) || undefined}
            {...about}
            // What is typed takes the place of a mark as a whole.
            onFocus={(event) => KEPT.test(one.value) && event.target.select()}
            onChange={(event) => onChange(values.with(index, { ...one, value: event.target.value }))}
          />
          <RemoveButton what={`${noun} ${index + 1}`} onClick={() => onChange(values.toSpliced(index, 1))} />
        </div>
      ))}
      {problem !== null && (
        <span id={id} className={styles.problem} role="alert">
          {problem}
        </span>
      )}
      <AddButton what={noun} onClick={() => onChange([...values, { name: '', value: '' }])} />
    </fieldset>
  )
}

export function AddButton({ what, onClick }: { what: string; onClick: () => void }) {
  return (
    <button type="button" className={controls.link} onClick={onClick}>
      <Plus size={11} aria-hidden /> add {what}
    </button>
  )
}

export function RemoveButton({ what, onClick }: { what: string; onClick: () => void }) {
  return (
    <button type="button" className={controls.icon} aria-label={`remove ${what}`} onClick={onClick}>
      <X size={13} aria-hidden />
    </button>
  )
}
