import { Save, SlidersHorizontal } from 'lucide-react'
import { useStore } from 'zustand'
import { useActions } from '../actions/use-actions'
import controls from '../controls/controls.module.css'
import { Segments } from '../controls/segments'
import { useDesk, useStatus } from '../stores/desk-context'
import { visibleString } from '../text/visible-text'
import { METHODS, type Draft } from './draft'
import { SaveRequest } from './save-request'
import styles from './compose.module.css'

interface RequestLineProps {
  draft: Draft
  settingsOpen: boolean
  onSettings: () => void
  /** What saves it is open. */
  saving: boolean
  onSaving: (saving: boolean) => void
  onSaved: () => void
}

/** Where the request goes, in which era, and by which method; and what sends it. */
export function RequestLine(props: RequestLineProps) {
  const { draft, settingsOpen, onSettings, saving, onSaving, onSaved } = props
  const { compose } = useDesk()
  const held = useStore(compose.store, (state) => state.held)
  const backends = useStatus((state) => state.status?.backends)
  useActions({ 'compose.send': () => void compose.send(), 'compose.save': () => onSaving(true) })
  const endpoints = ['/mcp', ...(backends ?? []).map(({ name }) => `/mcp/${name}`)]
  return (
    <>
      <div className={styles.line}>
        <select
          className={`${controls.input ?? ''} ${styles.endpoint ?? ''}`}
          aria-label="endpoint"
          title={visibleString(draft.endpoint)}
          value={draft.endpoint}
          onChange={(event) => compose.edit({ endpoint: event.target.value })}
        >
          {!endpoints.includes(draft.endpoint) && <option value={draft.endpoint}>{draft.endpoint} (gone)</option>}
          {endpoints.map((endpoint) => (
            <option key={endpoint} value={endpoint} title={endpoint}>
              {endpoint}
            </option>
          ))}
        </select>
        <Segments
          label="era"
          value={draft.era}
          options={[
            { value: 'modern', label: 'modern' },
            { value: 'legacy', label: 'legacy' },
          ]}
          onChange={(era) => compose.edit({ era })}
        />
        <input
          className={`${controls.input ?? ''} ${styles.method ?? ''}`}
          aria-label="method"
          list="compose-methods"
          value={draft.method}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => compose.edit({ method: event.target.value })}
        />
        <datalist id="compose-methods">
          {METHODS.map((method) => (
            <option key={method} value={method} />
          ))}
        </datalist>
        <span className={styles.lineTools}>
          <button
            type="button"
            className={controls.icon}
            aria-label="settings of the request"
            title="Capabilities, log level, header fields, _meta"
            aria-pressed={settingsOpen}
            aria-expanded={settingsOpen}
            onClick={onSettings}
          >
            <SlidersHorizontal size={14} aria-hidden />
          </button>
          <button
            type="button"
            className={controls.icon}
            aria-label="save the request"
            title="Save the request in a collection"
            aria-pressed={saving}
            onClick={() => onSaving(!saving)}
          >
            <Save size={14} aria-hidden />
          </button>
          <button
            type="button"
            className={controls.primary}
            title="Ctrl or ⌘ + Enter"
            data-testid="compose-send"
            onClick={() => void compose.send()}
          >
            {held ? 'Send anyway' : 'Send'}
          </button>
        </span>
      </div>
      {saving && (
        <SaveRequest
          draft={draft}
          onDone={() => {
            onSaving(false)
            onSaved()
          }}
          onCancel={() => onSaving(false)}
        />
      )}
    </>
  )
}
