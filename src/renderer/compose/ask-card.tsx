import { useId, useMemo, useState } from 'react'
import type { InputAsk } from '../../shared/api/compose'
import { Segments } from '../controls/segments'
import { Visible } from '../text/visible'
import { canAccept, kindOf, schemaOf, type Action, type AskDraft } from './ask-draft'
import { ElicitedForm } from './elicited-form'
import { JsonEditor, type TextMark } from './json-editor'
import { MarksLine } from './marks-line'
import { readObject } from './params-text'
import { RootsAnswer } from './roots-answer'
import { SamplingAnswer } from './sampling-answer'
import { UrlAnswer } from './url-answer'
import styles from './answer.module.css'

export interface AskProps {
  /** Of the composed call. */
  id: string
  ask: InputAsk
  draft: AskDraft
  /** Sending was held up by problems: what is missing is told of too. */
  tried: boolean
  onChange: (change: Partial<AskDraft>) => void
}

const ACTIONS: { value: Action; label: string }[] = [
  { value: 'accept', label: 'accept' },
  { value: 'decline', label: 'decline' },
  { value: 'cancel', label: 'cancel' },
]
const OTHER_ACTIONS = ACTIONS.filter(({ value }) => value !== 'accept')
const TITLES = { form: 'form', url: 'address', sampling: 'sampling', roots: 'roots', other: 'unknown method' }

/** One question of the backend, and its answer as a form or as JSON. */
export function AskCard(props: AskProps) {
  const { ask, draft, tried, onChange } = props
  const [asJson, setAsJson] = useState(false)
  const titleId = useId()
  const kind = kindOf(ask)
  const elicits = kind === 'form' || kind === 'url'
  const message = typeof ask.params.message === 'string' ? ask.params.message : null
  const read = useMemo(() => readObject(draft.text), [draft.text])
  const marks = useMemo(() => (read.mark === null ? [] : [read.mark]), [read])
  const [sought, setSought] = useState<TextMark | null>(null)
  const open = kind !== 'url' && (kind !== 'form' || draft.action === 'accept')
  return (
    <section className={styles.ask} aria-labelledby={titleId} data-testid="ask" data-key={ask.key}>
      <header className={styles.askHead}>
        <h3 id={titleId} className={styles.askKey}>
          <Visible text={ask.key} />
        </h3>
        <span className={styles.askMethod}>
          <Visible text={ask.method} /> · {TITLES[kind]}
        </span>
        {open && kind !== 'other' && (
          <Segments
            label="answer as"
            value={asJson ? 'json' : 'form'}
            options={[
              { value: 'form', label: 'form' },
              { value: 'json', label: 'JSON' },
            ]}
            onChange={(form) => setAsJson(form === 'json')}
          />
        )}
      </header>
      {message !== null && (
        <p className={styles.message}>
          <Visible text={message} block />
        </p>
      )}
      {elicits && (
        <Segments
          label="action"
          value={draft.action}
          options={canAccept(ask) ? ACTIONS : OTHER_ACTIONS}
          onChange={(action) => onChange({ action })}
        />
      )}
      {kind === 'url' && <UrlAnswer {...props} />}
      {open && (asJson || kind === 'other' || read.value === null) && (
        <div className={styles.json}>
          <JsonEditor
            label={`answer to ${ask.key}`}
            value={draft.text}
            marks={marks}
            sought={sought}
            onChange={(text) => onChange({ text })}
          />
          {marks.length > 0 && (
            <p className={styles.problem}>
              <MarksLine marks={marks} text={draft.text} onGo={(mark) => setSought({ ...mark })} />
            </p>
          )}
        </div>
      )}
      {open && !asJson && read.value !== null && kind === 'form' && (
        <ElicitedForm
          schema={schemaOf(ask)}
          labelId={titleId}
          text={draft.text}
          value={read.value}
          tried={tried}
          onChange={(text) => onChange({ text })}
        />
      )}
      {open && !asJson && read.value !== null && kind === 'sampling' && (
        <SamplingAnswer {...props} value={read.value} />
      )}
      {open && !asJson && read.value !== null && kind === 'roots' && <RootsAnswer {...props} value={read.value} />}
      {kind !== 'url' && (
        <label className={styles.always}>
          <input
            type="checkbox"
            checked={draft.always}
            onChange={(event) => onChange({ always: event.target.checked })}
          />
          answer this question like this from now on
        </label>
      )}
    </section>
  )
}
