import { useState } from 'react'
import controls from '../controls/controls.module.css'
import { useDesk } from '../stores/desk-context'
import { Visible } from '../text/visible'
import { JsonEditor } from './json-editor'
import { readObject } from './params-text'
import type { AnswerRule } from './remembered-compose'
import { RemoveTool } from './schema-form'
import styles from './compose.module.css'

/** A kept answer to a question: looked at, edited as JSON, taken out. */
export function RuleRow({ rule }: { rule: AnswerRule }) {
  const { compose } = useDesk()
  /** The answer as it is being edited; null while it is not. */
  const [text, setText] = useState<string | null>(null)
  const read = text === null ? null : readObject(text)
  const response = read?.value ?? null
  return (
    <>
      <div className={styles.rule} data-testid="answer-rule">
        <span>
          <Visible text={`${rule.target ?? rule.method} · ${rule.key}`} />
        </span>
        <code>
          <Visible text={JSON.stringify(rule.response).slice(0, 200)} />
        </code>
        <button
          type="button"
          className={controls.link}
          aria-label={`edit the answer to ${rule.key}`}
          aria-expanded={text !== null}
          onClick={() => setText(text === null ? JSON.stringify(rule.response, null, 2) : null)}
        >
          {text === null ? 'edit' : 'leave it'}
        </button>
        <RemoveTool name={rule.key} onClick={() => compose.dropRule(rule)} />
      </div>
      {text !== null && (
        <div className={styles.ruleEditor}>
          <JsonEditor
            label={`answer to ${rule.key}`}
            value={text}
            marks={read === null || read.mark === null ? [] : [read.mark]}
            onChange={setText}
          />
          <button
            type="button"
            className={controls.button}
            disabled={response === null}
            onClick={() => {
              if (response === null) return
              compose.changeRule(rule, response)
              setText(null)
            }}
          >
            Keep this answer
          </button>
        </div>
      )}
    </>
  )
}
