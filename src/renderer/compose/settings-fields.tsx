import { Plus } from 'lucide-react'
import { useId } from 'react'
import { useStore } from 'zustand'
import { isObject, type JsonObject } from '../../shared/protocol/json-rpc'
import { isLogLevel, LOG_LEVELS } from '../../shared/protocol/meta'
import controls from '../controls/controls.module.css'
import { useDesk } from '../stores/desk-context'
import type { Draft } from './draft'
import { JsonEditor } from './json-editor'
import { readObject } from './params-text'
import { RuleRow } from './rule-row'
import { RemoveTool } from './schema-form'
import styles from './compose.module.css'

/** What a client can say that it can do (basic/index, "Capabilities"), as switches. */
const CAPABILITIES: { label: string; path: [string, string?] }[] = [
  { label: 'elicitation: form', path: ['elicitation', 'form'] },
  { label: 'elicitation: url', path: ['elicitation', 'url'] },
  { label: 'sampling', path: ['sampling'] },
  { label: 'roots', path: ['roots'] },
]

/** What goes with the request beside its params. */
export function SettingsFields({ draft }: { draft: Draft }) {
  const { compose } = useDesk()
  const rules = useStore(compose.store, (state) => state.rules)
  const id = useId()
  const capabilities = readObject(draft.capabilities)
  const meta = readObject(draft.meta)
  const setHeader = (index: number, change: Partial<Draft['headers'][number]>) =>
    compose.edit({
      headers: draft.headers.map((header, at) => (at === index ? { ...header, ...change } : header)),
    })
  return (
    <div className={styles.settings}>
      <fieldset className={styles.group}>
        <legend>The client can answer</legend>
        {CAPABILITIES.map(({ label, path }) => (
          <label key={label} className={styles.check}>
            <input
              type="checkbox"
              checked={has(capabilities.value, path)}
              disabled={capabilities.value === null}
              onChange={(event) =>
                compose.edit({
                  capabilities: JSON.stringify(
                    withCapability(capabilities.value ?? {}, path, event.target.checked),
                    null,
                    2,
                  ),
                })
              }
            />
            {label}
          </label>
        ))}
      </fieldset>
      <fieldset className={styles.group}>
        <legend>It wants to hear of</legend>
        <label className={styles.check}>
          <input
            type="checkbox"
            checked={draft.progress}
            onChange={(event) => compose.edit({ progress: event.target.checked })}
          />
          progress
        </label>
        <span className={styles.level}>
          <label htmlFor={`${id}-level`}>log messages from</label>
          <select
            id={`${id}-level`}
            className={controls.input}
            value={draft.logLevel ?? ''}
            onChange={(event) => compose.edit({ logLevel: isLogLevel(event.target.value) ? event.target.value : null })}
          >
            <option value="">none</option>
            {LOG_LEVELS.map((level) => (
              <option key={level} value={level}>
                {level}
              </option>
            ))}
          </select>
        </span>
      </fieldset>
      <fieldset className={styles.group} data-wide>
        <legend>Header fields; those of the protocol are replaced</legend>
        {draft.headers.map((header, index) => (
          <div key={index} className={styles.header}>
            <input
              className={controls.input}
              value={header.name}
              placeholder="X-Name"
              aria-label={`name of field ${index + 1}`}
              autoComplete="off"
              spellCheck={false}
              onChange={(event) => setHeader(index, { name: event.target.value })}
            />
            <input
              className={controls.input}
              value={header.value}
              placeholder="value"
              aria-label={`value of field ${index + 1}`}
              autoComplete="off"
              spellCheck={false}
              onChange={(event) => setHeader(index, { value: event.target.value })}
            />
            <RemoveTool
              name={`field ${index + 1}`}
              onClick={() => compose.edit({ headers: draft.headers.toSpliced(index, 1) })}
            />
          </div>
        ))}
        <button
          type="button"
          className={controls.link}
          onClick={() => compose.edit({ headers: [...draft.headers, { name: '', value: '' }] })}
        >
          <Plus size={11} aria-hidden /> add field
        </button>
      </fieldset>
      <div className={styles.text}>
        <span className={styles.legend}>Capabilities, as sent</span>
        <JsonEditor
          label="client capabilities"
          value={draft.capabilities}
          marks={capabilities.mark === null ? [] : [capabilities.mark]}
          onChange={(text) => compose.edit({ capabilities: text })}
        />
        {capabilities.mark !== null && <p className={styles.problem}>{capabilities.mark.message}</p>}
      </div>
      <div className={styles.text}>
        <span className={styles.legend}>
          More in <code>_meta</code>; replaces what Sluice writes
        </span>
        <JsonEditor
          label="_meta"
          value={draft.meta}
          marks={meta.mark === null ? [] : [meta.mark]}
          onChange={(text) => compose.edit({ meta: text })}
        />
        {meta.mark !== null && <p className={styles.problem}>{meta.mark.message}</p>}
      </div>
      {rules.length > 0 && (
        <fieldset className={styles.group} data-wide>
          <legend>Questions that are answered without asking</legend>
          {rules.map((rule) => (
            <RuleRow key={JSON.stringify([rule.endpoint, rule.method, rule.target, rule.key])} rule={rule} />
          ))}
        </fieldset>
      )}
    </div>
  )
}

function has(capabilities: JsonObject | null, [name, part]: [string, string?]): boolean {
  const own = capabilities?.[name]
  if (own === undefined) return false
  return part === undefined || (isObject(own) && own[part] !== undefined)
}

function withCapability(capabilities: JsonObject, [name, part]: [string, string?], on: boolean): JsonObject {
  const { [name]: own, ...others } = capabilities
  if (part === undefined) return on ? { ...others, [name]: {} } : others
  const { [part]: _part, ...parts } = isObject(own) ? own : {}
  const next = on ? { ...parts, [part]: {} } : parts
  return Object.keys(next).length === 0 ? others : { ...others, [name]: next }
}
