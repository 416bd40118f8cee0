import { useId } from 'react'
import { useStore } from 'zustand'
import { isObject, type JsonObject } from '../../shared/protocol/json-rpc'
import { ContentView } from '../content/content-view'
import controls from '../controls/controls.module.css'
import { useDesk } from '../stores/desk-context'
import { Visible } from '../text/visible'
import { visibleString } from '../text/visible-text'
import type { AskProps } from './ask-card'
import { samplingMessages, samplingResult, samplingWishes } from './ask-draft'
import styles from './answer.module.css'

/** A person writes what a model would, or takes a text that was given before. */
export function SamplingAnswer({ ask, value, onChange }: AskProps & { value: JsonObject }) {
  const { compose } = useDesk()
  const samples = useStore(compose.store, (state) => state.samples)
  const id = useId()
  const text = isObject(value.content) && typeof value.content.text === 'string' ? value.content.text : ''
  const model = typeof value.model === 'string' ? value.model : ''
  const wishes = samplingWishes(ask.params)
  const set = (next: string, name = model) => onChange({ text: JSON.stringify(samplingResult(next, name), null, 2) })
  return (
    <>
      <ol className={styles.messages}>
        {samplingMessages(ask.params).map(({ role, text: said, others }, index) => (
          <li key={index}>
            <span className={styles.role}>
              <Visible text={role} />
            </span>
            <Visible text={said} block />
            {others.length > 0 && <ContentView blocks={others} />}
          </li>
        ))}
      </ol>
      {wishes !== '' && (
        <p className={styles.quiet}>
          Wanted: <Visible text={wishes} />
        </p>
      )}
      {samples.length > 0 && (
        <div className={controls.field}>
          <label className={controls.fieldLabel} htmlFor={`${id}-template`}>
            From an earlier answer
          </label>
          <select
            id={`${id}-template`}
            className={controls.input}
            value=""
            onChange={(event) => set(samples[Number(event.target.value)] ?? text)}
          >
            <option value="">choose…</option>
            {samples.map((sample, index) => (
              <option key={index} value={index}>
                {visibleString(sample).slice(0, 100)}
              </option>
            ))}
          </select>
        </div>
      )}
      <div className={controls.field}>
        <label className={controls.fieldLabel} htmlFor={id}>
          What the model says
        </label>
        <textarea
          id={id}
          className={controls.input}
          rows={3}
          value={text}
          spellCheck={false}
          onChange={(event) => set(event.target.value)}
        />
      </div>
      <div className={controls.field}>
        <label className={controls.fieldLabel} htmlFor={`${id}-model`}>
          Name of the model
        </label>
        <input
          id={`${id}-model`}
          className={controls.input}
          value={model}
          spellCheck={false}
          autoComplete="off"
          onChange={(event) => set(text, event.target.value)}
        />
      </div>
    </>
  )
}
