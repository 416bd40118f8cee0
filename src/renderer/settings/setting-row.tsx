import { useId, useState, type ReactNode } from 'react'
import type { JsonValue } from '../../shared/protocol/json-rpc'
import type { Setting } from '../../shared/config/settings'
import controls from '../controls/controls.module.css'
import styles from './settings.module.css'

/** A name, what it does, and a control. */
export function Row({ name, about, children }: { name: string; about: string; children: (ids: RowIds) => ReactNode }) {
  const id = useId()
  return (
    <div className={styles.row} data-testid="setting" data-setting={name}>
      <div>
        <label htmlFor={id}>{name}</label>
        <p id={`${id}-about`}>{about}</p>
      </div>
      <div className={styles.control}>{children({ id, about: `${id}-about` })}</div>
    </div>
  )
}
export interface RowIds {
  /** Of the control. */
  id: string
  /** Of what describes it. */
  about: string
}

interface SettingRowProps {
  setting: Setting
  value: JsonValue
  /** It stands in the file. */
  own: boolean
  /** It is being written. */
  busy: boolean
  /** Null takes it out of the file. */
  onSet: (value: JsonValue) => void
}

/** One setting of the gateway. */
export function SettingRow({ setting, value, own, busy, onSet }: SettingRowProps) {
  const about = setting.restart ? `${setting.description} Counts from the next start on.` : setting.description
  return (
    <Row name={setting.path.slice(1).join('.')} about={about}>
      {({ id, about: described }) => (
        <>
          {setting.kind === 'choice' ? (
            <select
              id={id}
              className={controls.input}
              aria-describedby={described}
              disabled={busy}
              value={String(value)}
              onChange={(event) => onSet(event.target.value)}
            >
              {setting.choices?.map((choice) => (
                <option key={choice}>{choice}</option>
              ))}
            </select>
          ) : setting.kind === 'switch' ? (
            <input
              id={id}
              type="checkbox"
              aria-describedby={described}
              disabled={busy}
              checked={value === true}
              onChange={(event) => onSet(event.target.checked)}
            />
          ) : (
            // Anew when the file says something else: what is being typed is not overwritten before that.
            <Typed
              key={JSON.stringify(value)}
              id={id}
              about={described}
              setting={setting}
              value={value}
              onSet={onSet}
            />
          )}
          <button
            type="button"
            className={controls.link}
            style={{ visibility: own ? 'visible' : 'hidden' }}
            disabled={busy}
            aria-label={`default for ${setting.path.slice(1).join('.')}`}
            title={`Back to the default: ${shown(setting.fallback)}`}
            onClick={() => onSet(null)}
          >
            default
          </button>
        </>
      )}
    </Row>
  )
}

interface TypedProps extends RowIds {
  setting: Setting
  value: JsonValue
  onSet: (value: JsonValue) => void
}

/** A number, or texts one a line: set when the field is left, or by Enter in a number. */
function Typed({ id, about, setting, value, onSet }: TypedProps) {
  const before = Array.isArray(value) ? value.join('\n') : String(value)
  const [text, setText] = useState(before)
  const problem = problemOf(setting, text)
  const set = () => {
    if (text === before || problem !== null) return
    onSet(setting.kind === 'number' ? Number(text) : linesOf(text))
  }
  const shared = {
    id,
    className: controls.input,
    'aria-describedby': problem === null ? about : `${about} ${id}-problem`,
    'aria-invalid': problem !== null,
    spellCheck: false,
    value: text,
    onBlur: set,
  }
  return (
    <>
      {setting.kind === 'number' ? (
        <input
          {...shared}
          inputMode="numeric"
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => event.key === 'Enter' && set()}
        />
      ) : (
        <textarea
          {...shared}
          rows={Math.max(1, Math.min(6, text.split('\n').length))}
          placeholder="none; one a line"
          onChange={(event) => setText(event.target.value)}
        />
      )}
      {problem !== null && (
        <span id={`${id}-problem`} className={styles.problem} role="alert">
          {problem}
        </span>
      )}
    </>
  )
}

/** What is wrong with a typed value; null when nothing is. */
export function problemOf({ kind, least = 0, most = 0 }: Setting, text: string): string | null {
  if (kind !== 'number') return null
  if (!/^\d{1,15}$/.test(text.trim())) return 'a whole number'
  const value = Number(text)
  return value < least || value > most ? `from ${least} to ${most}` : null
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

function shown(value: JsonValue): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  return Array.isArray(value) ? (value.length === 0 ? 'none' : value.join(', ')) : String(value)
}
