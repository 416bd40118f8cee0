import { useState } from 'react'
import type { JsonValue } from '../../shared/protocol/json-rpc'
import controls from '../controls/controls.module.css'
import { visibleString } from '../text/visible-text'
import type { Option } from './json-schema'
import { SuggestedInput } from './suggested-input'
import styles from './schema-form.module.css'

interface ControlProps<T> {
  id: string
  /** Names the control, also where no label is for it. */
  labelId: string
  invalid: boolean
  value: T
  onChange: (value: JsonValue | undefined) => void
}

interface LineProps extends ControlProps<string | undefined> {
  format: string | null
  long: boolean
  required: boolean
  hint: string
  /** Its name, when it is an argument that a server may complete. */
  argument: string | null
}

/** Text. What is emptied is left out, unless it is required: an empty text is a text. */
export function Line(props: LineProps) {
  const { id, labelId, invalid, value, format, long, required, hint, argument, onChange } = props
  const set = (text: string) => onChange(text === '' && !required ? undefined : text)
  const shared = {
    id,
    'aria-labelledby': labelId,
    className: controls.input,
    value: value ?? '',
    placeholder: hint,
    'aria-invalid': invalid,
    autoComplete: 'off',
    spellCheck: false,
  }
  if (long || (value ?? '').includes('\n'))
    return <textarea {...shared} rows={4} onChange={(event) => set(event.target.value)} />
  if (argument !== null && format !== 'date') return <SuggestedInput {...shared} argument={argument} onText={set} />
  return <input {...shared} type={format === 'date' ? 'date' : 'text'} onChange={(event) => set(event.target.value)} />
}

interface NumberProps extends ControlProps<number | undefined> {
  integer: boolean
  hint: string
}

/** A number as it is typed; what is no number yet stays here, with a word on it. */
export function NumberLine({ id, labelId, invalid, value, integer, hint, onChange }: NumberProps) {
  const [typed, setTyped] = useState<string | null>(null)
  const shown = typed ?? (value === undefined ? '' : String(value))
  const isNumber = shown.trim() === '' || Number.isFinite(Number(shown))
  const set = (text: string) => {
    const number = text.trim() === '' ? undefined : Number(text)
    const readable = number === undefined || Number.isFinite(number)
    setTyped(readable && String(number ?? '') === text ? null : text)
    if (readable) onChange(number)
  }
  return (
    <>
      <input
        id={id}
        aria-labelledby={labelId}
        className={controls.input}
        value={shown}
        placeholder={hint}
        inputMode={integer ? 'numeric' : 'decimal'}
        aria-invalid={invalid || !isNumber}
        autoComplete="off"
        onChange={(event) => set(event.target.value)}
        onBlur={() => {
          if (isNumber) setTyped(null)
        }}
      />
      {!isNumber && (
        <p className={styles.problem} role="alert">
          is no number
        </p>
      )}
    </>
  )
}

interface FlagProps {
  id: string
  labelId: string
  value: boolean | undefined
  required: boolean
  onChange: (value: boolean | undefined) => void
}

/** True, false, or left out: to a server these are three things. */
export function Flag({ id, labelId, value, required, onChange }: FlagProps) {
  const options = [
    { value: true, label: 'true' },
    { value: false, label: 'false' },
    ...(required && value !== undefined ? [] : [{ value: undefined, label: 'left out' }]),
  ]
  return (
    <select
      id={id}
      aria-labelledby={labelId}
      className={controls.input}
      value={String(value)}
      onChange={(event) => onChange(options.find((option) => String(option.value) === event.target.value)?.value)}
    >
      {options.map((option) => (
        <option key={option.label} value={String(option.value)}>
          {option.label}
        </option>
      ))}
    </select>
  )
}

interface ChoiceProps extends ControlProps<JsonValue | undefined> {
  options: readonly Option[]
  required: boolean
}

export function Choice({ id, labelId, invalid, value, options, required, onChange }: ChoiceProps) {
  const index = value === undefined ? -1 : options.findIndex((option) => same(option.value, value))
  const other = value !== undefined && index === -1
  return (
    <select
      id={id}
      aria-labelledby={labelId}
      className={controls.input}
      value={other ? 'other' : String(index)}
      aria-invalid={invalid}
      onChange={(event) => onChange(options[Number(event.target.value)]?.value)}
    >
      {(!required || value === undefined) && <option value="-1">{required ? 'choose…' : 'left out'}</option>}
      {other && <option value="other">{visibleString(JSON.stringify(value)).slice(0, 80)} (as written)</option>}
      {options.map((option, at) => (
        <option key={at} value={String(at)}>
          {visibleString(option.label).slice(0, 120)}
        </option>
      ))}
    </select>
  )
}

interface SeveralProps {
  options: readonly Option[]
  value: JsonValue[] | undefined
  onChange: (value: JsonValue[]) => void
}

/** Any number of a few, in the order of the schema. */
export function Several({ options, value, onChange }: SeveralProps) {
  const chosen = value ?? []
  const toggle = (option: JsonValue, on: boolean) => {
    const known = options.map((each) => each.value)
    const others = chosen.filter((each) => !known.some((one) => same(one, each)))
    const kept = known.filter((each) => (same(each, option) ? on : chosen.some((one) => same(one, each))))
    onChange([...kept, ...others])
  }
  return (
    <div className={styles.several}>
      {options.map((option, index) => (
        <label key={index} className={styles.check}>
          <input
            type="checkbox"
            checked={chosen.some((each) => same(each, option.value))}
            onChange={(event) => toggle(option.value, event.target.checked)}
          />
          {visibleString(option.label).slice(0, 120)}
        </label>
      ))}
    </div>
  )
}

function same(one: JsonValue, other: JsonValue): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
