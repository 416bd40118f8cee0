import { useEffect, useId, useMemo, useRef, useState, type RefObject } from 'react'
import { useStore } from 'zustand'
import type { EndpointOffer } from '../../shared/api/compose'
import { isObject, type JsonObject } from '../../shared/protocol/json-rpc'
import controls from '../controls/controls.module.css'
import { Segments } from '../controls/segments'
import { useDesk } from '../stores/desk-context'
import { plural } from '../text/format'
import { Visible } from '../text/visible'
import { expanded, formOf, targetOf, valueAt, type Draft } from './draft'
import { goToFirstProblem } from './first-problem'
import { JsonEditor, type TextMark } from './json-editor'
import { MarksLine } from './marks-line'
import { marksOf, readObject, withValueAt, type Path, type ReadText } from './params-text'
import { ProblemsLine } from './problems-line'
import type { EditorForm } from './remembered-compose'
import { SchemaForm } from './schema-form'
import { CompletedArguments, SuggestedInput, textsOf, type Arguments } from './suggested-input'
import { checkInWorker, useSchemaCheck } from './use-schema-check'
import styles from './compose.module.css'

const NO_PATH: Path = []
const FIELDS = '[data-pointer] :is(input, select, textarea), [contenteditable=true]'
const VIEWS: { value: EditorForm; label: string }[] = [
  { value: 'form', label: 'form' },
  { value: 'both', label: 'both' },
  { value: 'json', label: 'JSON' },
]

/** The params of a request: as a form by the schema, and as the JSON that is sent. Both are one text. */
export function RequestEditor({ draft, offer }: { draft: Draft; offer: EndpointOffer | null }) {
  const { compose } = useDesk()
  const editor = useStore(compose.store, (state) => state.editor)
  const tried = useStore(compose.store, (state) => state.tried)
  const titleId = useId()
  const read = useMemo(() => readObject(draft.params), [draft.params])
  const target = targetOf(draft.method, read.value)
  const form = useMemo(() => formOf(draft.method, target, offer), [draft.method, target, offer])
  const path = form.schema === null ? NO_PATH : form.path
  const value = valueAt(read.value, path)
  const schema = form.schema
  // Arguments that are not there are an empty object to a server.
  const checked = useMemo(() => (read.value === null ? undefined : (value ?? {})), [read.value, value])
  const { problems, note } = useSchemaCheck(schema, checked)
  useEffect(() => {
    if (schema === null || checked === undefined) return
    compose.setCheck(async () => (await checkInWorker(schema, checked)).problems.length)
    return () => compose.setCheck(null)
  }, [compose, schema, checked])
  const holder = useRef<HTMLDivElement>(null)
  const pane = useRef<HTMLDivElement>(null)
  const [sought, setSought] = useState<TextMark | null>(null)
  const told = useMemo(() => (tried ? problems : problems.filter(({ missing }) => missing !== true)), [problems, tried])
  const promptArguments = useMemo<Arguments | null>(() => {
    if (draft.method !== 'prompts/get' || target === null) return null
    const { endpoint, era } = draft
    return { endpoint, era, ref: { type: 'ref/prompt', name: target }, values: textsOf(value) }
  }, [draft, target, value])
  const marks = useMemo(() => {
    if (read.mark !== null) return [read.mark]
    return schema === null ? [] : marksOf(draft.params, path, told)
  }, [read, schema, draft.params, path, told])
  useWriting(pane, offer !== null)
  const goToFirst = () => {
    const found = holder.current !== null && goToFirstProblem(holder.current, told)
    const first = marks.toSorted((one, other) => one.from - other.from)[0]
    if (!found && first !== undefined) setSought({ ...first })
  }
  const listed = entryOf(draft.method, target, offer)
  const shown: EditorForm = schema === null && editor === 'form' ? 'both' : editor
  return (
    <div ref={pane} className={styles.editor}>
      <header className={styles.targetHead}>
        <h2 id={titleId}>
          <Visible text={titleOf(listed) ?? target ?? draft.method} />
        </h2>
        <Segments
          label="edit as"
          value={editor}
          options={VIEWS}
          onChange={(next) => compose.store.setState({ editor: next })}
        />
      </header>
      {typeof listed?.description === 'string' && (
        <p className={styles.about} title={listed.description.slice(0, 2_000)}>
          <Visible text={listed.description} block />
        </p>
      )}
      {read.mark === null && <ProblemsLine count={told.length} onGo={goToFirst} />}
      <div className={styles.sides} data-view={shown}>
        {shown !== 'json' && (
          <div ref={holder} className={styles.formSide}>
            {draft.template !== null && <TemplateFields draft={draft} template={draft.template} />}
            <CompletedArguments value={promptArguments}>
              <FormSide
                why={form.schema === null ? form.why : null}
                takesNone={form.schema !== null && form.takesNone === true}
                schema={form.schema}
                labelId={titleId}
                read={read}
                value={value}
                problems={told}
                onEdit={(inner, next) => {
                  const text = withValueAt(draft.params, [...path, ...inner], next)
                  if (text !== undefined) compose.edit({ params: text, template: null })
                }}
              />
            </CompletedArguments>
            {note !== null && <p className={styles.warning}>{note}</p>}
          </div>
        )}
        {shown !== 'form' && (
          <div className={styles.jsonSide}>
            <JsonEditor
              label="params"
              value={draft.params}
              marks={marks}
              sought={sought}
              onChange={(params) => compose.edit({ params, template: null })}
            />
            <p className={styles.marks} role="status" data-problem={marks.length > 0 || undefined}>
              {marks.length === 0 ? (
                problems.length > told.length ? (
                  `${plural(problems.length, 'required value')} missing`
                ) : (
                  'params, sent as written; _meta is added'
                )
              ) : (
                <MarksLine marks={marks} text={draft.params} onGo={(mark) => setSought({ ...mark })} />
              )}
            </p>
          </div>
        )}
      </div>
    </div>
  )
}

/** Brings the keyboard to the first field, or else to the JSON, for whom came to write. */
function useWriting(pane: RefObject<HTMLElement | null>, ready: boolean): void {
  const { compose } = useDesk()
  const writing = useStore(compose.store, (state) => state.writing)
  useEffect(() => {
    if (!writing || !ready) return
    const field = pane.current?.querySelector<HTMLElement>(FIELDS)
    if (field === null || field === undefined) return
    field.focus()
    compose.store.setState({ writing: false })
  }, [compose, writing, ready, pane])
}

interface FormSideProps {
  why: string | null
  takesNone: boolean
  schema: JsonObject | null
  labelId: string
  read: ReadText
  value: ReturnType<typeof valueAt>
  problems: ReturnType<typeof useSchemaCheck>['problems']
  onEdit: Parameters<typeof SchemaForm>[0]['onEdit']
}

function FormSide({ why, takesNone, schema, labelId, read, value, problems, onEdit }: FormSideProps) {
  if (schema === null)
    return (
      <p className={styles.quiet} data-testid="no-form">
        <Visible text={why ?? ''} />
      </p>
    )
  if (read.value === null)
    return <p className={styles.quiet}>The JSON beside this cannot be read; when it can, the form is back.</p>
  if (takesNone && Object.keys(isObject(value) ? value : {}).length === 0)
    return (
      <p className={styles.quiet} data-testid="no-form">
        It takes no arguments.
      </p>
    )
  return <SchemaForm {...{ schema, labelId, value, problems, onEdit }} base="" root={schema} />
}

function TemplateFields({ draft, template }: { draft: Draft; template: NonNullable<Draft['template']> }) {
  const { compose } = useDesk()
  const id = useId()
  const set = (name: string, value: string) => {
    const values = { ...template.values, [name]: value }
    const uri = expanded(template.uriTemplate, values)
    compose.edit({
      params: withValueAt(draft.params, ['uri'], uri) ?? draft.params,
      template: { ...template, values },
    })
  }
  const { endpoint, era } = draft
  const templateArguments: Arguments = {
    endpoint,
    era,
    ref: { type: 'ref/resource', uri: template.uriTemplate },
    values: template.values,
  }
  return (
    <CompletedArguments value={templateArguments}>
      <div className={styles.template}>
        <code className={styles.templateText}>
          <Visible text={template.uriTemplate} />
        </code>
        {Object.entries(template.values).map(([name, value], index) => (
          <div key={name} className={controls.field}>
            <label className={controls.fieldLabel} htmlFor={`${id}-${index}`}>
              <Visible text={name} />
            </label>
            <SuggestedInput
              id={`${id}-${index}`}
              className={controls.input}
              value={value}
              argument={name}
              autoComplete="off"
              spellCheck={false}
              onText={(text) => set(name, text)}
            />
          </div>
        ))}
      </div>
    </CompletedArguments>
  )
}

function entryOf(method: string, target: string | null, offer: EndpointOffer | null): JsonObject | undefined {
  if (method === 'tools/call') return offer?.tools.find(({ name }) => name === target)
  if (method === 'prompts/get') return offer?.prompts.find(({ name }) => name === target)
  return method === 'resources/read' ? offer?.resources.find(({ uri }) => uri === target) : undefined
}

function titleOf(entry: JsonObject | undefined): string | null {
  return typeof entry?.title === 'string' && entry.title !== '' ? entry.title : null
}
