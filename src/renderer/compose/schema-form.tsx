import { useId, type ReactNode } from 'react'
import { isObject, type JsonObject, type JsonValue } from '../../shared/protocol/json-rpc'
import { Visible } from '../text/visible'
import { JsonField } from './json-field'
import { addedValue, fieldOf, labelOf, MOST_DEPTH, resolved, type Field } from './json-schema'
import type { Path } from './params-text'
import { escaped, type Problem } from './schema-check'
import { Choice, Flag, Line, NumberLine, Several } from './value-fields'
import { ListField } from './list-field'
import { VariantsField } from './variants-field'
import styles from './schema-form.module.css'

/** The sign of what is required, bound to the word before it (U+2060). */
const STAR = '\u2060*'

/** Sets the value at a path, or removes it when it is undefined. */
export type Edit = (path: Path, value: JsonValue | undefined) => void

export interface FormContext {
  /** Where references lead to. */
  root: JsonObject
  problems: readonly Problem[]
  /** JSON Pointer of the form in the whole value: that of a variant is a form within one. */
  base: string
  onEdit: Edit
}

interface SchemaFormProps extends FormContext {
  /** The element that names the form. */
  labelId: string
  schema: JsonObject
  value: JsonValue | undefined
}

/** A form for a value by its JSON schema. Every text in the schema is a server's: hostile. */
export function SchemaForm({ schema, value, labelId, ...context }: SchemaFormProps) {
  const id = useId()
  const field = fieldOf(schema, context.root)
  const own = context.problems.filter(({ pointer }) => pointer === '')
  return (
    <div className={styles.form} data-testid="schema-form">
      {own.map(({ message }) => (
        <p key={message} className={styles.problem}>
          <Visible text={message} />
        </p>
      ))}
      <FieldBody
        field={field}
        schema={schema}
        value={value}
        path={[]}
        pointer=""
        id={id}
        labelId={labelId}
        required
        invalid={false}
        {...context}
      />
    </div>
  )
}

export interface FieldProps extends FormContext {
  schema: JsonObject
  value: JsonValue | undefined
  path: Path
  /** JSON Pointer of the path. */
  pointer: string
  required: boolean
}

interface LabelledProps extends FieldProps {
  name: string
  /** Beside the label, for instance to remove it. */
  tools?: ReactNode
}

/** A field with its name, what it means, and what is wrong with it. */
export function LabelledField({ name, tools, ...props }: LabelledProps) {
  const { schema, root, value, pointer, base, required, problems } = props
  const id = useId()
  const read = resolved(schema, root)
  const words = typeof read === 'string' ? schema : read
  const title = typeof words.title === 'string' && words.title !== '' ? words.title : null
  const field = fieldOf(schema, root)
  const own = problems.filter((problem) => problem.pointer === pointer)
  const isGroup =
    field.kind === 'object' || field.kind === 'list' || field.kind === 'several' || field.kind === 'variants'
  const label = (
    <>
      <Visible text={title ?? name} />
      {required && (
        <span className={styles.required} title="required">
          {STAR}
        </span>
      )}
      {title !== null && title !== name && (
        <code className={styles.name}>
          <Visible text={name} />
        </code>
      )}
    </>
  )
  return (
    <div
      className={styles.field}
      {...(isGroup ? { role: 'group', 'aria-labelledby': `${id}-label` } : {})}
      data-testid="schema-field"
      data-pointer={`${base}${pointer}`}
      data-group={isGroup || undefined}
    >
      <div className={styles.head}>
        {isGroup ? (
          <span id={`${id}-label`} className={styles.label}>
            {label}
          </span>
        ) : (
          <label id={`${id}-label`} htmlFor={id} className={styles.label}>
            {label}
          </label>
        )}
        <span className={styles.type}>
          <Visible text={typeWords(field, words)} />
        </span>
        {tools}
      </div>
      {typeof words.description === 'string' && words.description !== '' && (
        <p className={styles.description} title={words.description.slice(0, 1_000)}>
          <Visible text={words.description} block />
        </p>
      )}
      <FieldBody field={field} id={id} labelId={`${id}-label`} invalid={own.length > 0} {...props} value={value} />
      {own.map(({ message }) => (
        <p key={message} className={styles.problem} role="alert">
          <Visible text={message} />
        </p>
      ))}
    </div>
  )
}

interface BodyProps extends FieldProps {
  field: Field
  id: string
  /** Names a group of controls. */
  labelId: string
  invalid: boolean
}

function FieldBody({ field, id, labelId, invalid, ...props }: BodyProps) {
  const { schema, value, path, required, onEdit } = props
  const set = (next: JsonValue | undefined) => onEdit(path, next)
  const asJson = (why: string | null) => <JsonField id={id} labelId={labelId} value={value} why={why} onChange={set} />
  if (path.length > MOST_DEPTH) return asJson('It lies too deep for a form.')
  switch (field.kind) {
    case 'fixed':
      return (
        <Choice
          {...{ id, labelId, invalid, required, value }}
          options={[{ value: field.value, label: labelOf(field.value) }]}
          onChange={set}
        />
      )
    case 'choice':
      return <Choice {...{ id, labelId, invalid, required, value }} options={field.options} onChange={set} />
    case 'boolean':
      if (value !== undefined && typeof value !== 'boolean') return asJson(null)
      return <Flag {...{ id, labelId, value, required }} onChange={set} />
    case 'text':
      if (value !== undefined && typeof value !== 'string') return asJson(null)
      return (
        <Line
          {...{ id, labelId, invalid, value, required }}
          format={field.format}
          long={field.long}
          hint={hintOf(schema)}
          argument={path.length === 1 ? String(path[0]) : null}
          onChange={set}
        />
      )
    case 'number':
      if (value !== undefined && typeof value !== 'number') return asJson(null)
      return (
        <NumberLine {...{ id, labelId, invalid, value }} integer={field.integer} hint={hintOf(schema)} onChange={set} />
      )
    case 'several':
      if (value !== undefined && !Array.isArray(value)) return asJson(null)
      return <Several options={field.options} value={value} onChange={set} />
    case 'list':
      if (value !== undefined && !Array.isArray(value)) return asJson(null)
      return <ListField {...props} items={field.items} value={value} />
    case 'variants':
      return <VariantsField {...props} variants={field.variants} labelId={labelId} />
    case 'object':
      if (value !== undefined && !isObject(value)) return asJson(null)
      return field.members.length === 0 ? asJson(null) : <Members {...props} members={field.members} value={value} />
    case 'json':
      return asJson(field.why)
  }
}

interface MembersProps extends FieldProps {
  members: Extract<Field, { kind: 'object' }>['members']
  value: JsonObject | undefined
}

/** The members of an object. What is not required and not there takes one line, so that recursion has an end. */
function Members({ members, value, path, pointer, schema: _schema, required: _required, ...context }: MembersProps) {
  const { root, onEdit } = context
  const known = new Set(members.map(({ name }) => name))
  const others = Object.keys(value ?? {}).filter((name) => !known.has(name))
  return (
    <div className={styles.members} data-nested={path.length > 0 || undefined}>
      {members.map(({ name, schema, required }) => {
        const own = value?.[name]
        const place = [...path, name]
        const field = fieldOf(schema, root)
        const large = field.kind === 'object' || field.kind === 'list' || field.kind === 'variants'
        if (large && own === undefined)
          return (
            <Absent
              key={name}
              name={name}
              pointer={`${pointer}/${escaped(name)}`}
              schema={schema}
              root={root}
              base={context.base}
              problems={context.problems}
              required={required}
              onAdd={() => onEdit(place, addedValue(schema, root))}
            />
          )
        return (
          <LabelledField
            key={name}
            name={name}
            schema={schema}
            value={own}
            path={place}
            pointer={`${pointer}/${escaped(name)}`}
            required={required}
            tools={
              !required && own !== undefined && !offersLeavingOut(field) ? (
                <RemoveTool name={name} onClick={() => onEdit(place, undefined)} />
              ) : null
            }
            {...context}
          />
        )
      })}
      {others.length > 0 && (
        <p className={styles.others}>
          Not in the schema, and sent as written: <Visible text={others.slice(0, 20).join(', ')} />
        </p>
      )}
    </div>
  )
}

/** These have "left out" among what can be chosen. */
function offersLeavingOut({ kind }: Field): boolean {
  return kind === 'fixed' || kind === 'choice' || kind === 'boolean' || kind === 'variants'
}

interface AbsentProps extends Omit<FormContext, 'onEdit'> {
  name: string
  pointer: string
  schema: JsonObject
  required: boolean
  onAdd: () => void
}

function Absent({ name, pointer, schema, root, base, required, problems, onAdd }: AbsentProps) {
  const read = resolved(schema, root)
  const title = typeof read !== 'string' && typeof read.title === 'string' ? read.title : name
  const own = problems.filter((problem) => problem.pointer === pointer)
  return (
    <div className={styles.absent} data-pointer={`${base}${pointer}`}>
      <span className={styles.label}>
        <Visible text={title} />
        {required && <span className={styles.required}>{STAR}</span>}
      </span>
      <button type="button" className={styles.add} onClick={onAdd}>
        add <Visible text={title} />
      </button>
      {own.map(({ message }) => (
        <span key={message} className={styles.problem}>
          <Visible text={message} />
        </span>
      ))}
    </div>
  )
}

export function RemoveTool({ name, onClick }: { name: string; onClick: () => void }) {
  return (
    <button type="button" className={styles.remove} title="leave it out" data-removes onClick={onClick}>
      <span aria-hidden>✕</span>
      <span className={styles.hidden}>
        leave out <Visible text={name} />
      </span>
    </button>
  )
}

function typeWords(field: Field, schema: JsonObject): string {
  const format = typeof schema.format === 'string' ? ` (${schema.format.slice(0, 40)})` : ''
  switch (field.kind) {
    case 'fixed':
      return 'fixed'
    case 'choice':
      return `one of ${field.options.length}`
    case 'several':
      return `any of ${field.options.length}`
    case 'text':
      return `text${format}`
    case 'number':
      return `${field.integer ? 'integer' : 'number'}${rangeOf(schema)}`
    case 'boolean':
      return 'true or false'
    case 'variants':
      return 'one of these'
    case 'list':
      return 'list'
    case 'object':
      return field.members.length === 0 ? 'any object' : ''
    case 'json':
      return 'JSON'
  }
}

function rangeOf(schema: JsonObject): string {
  // The bounds of safe integers are what generators of schemas write for "any".
  const [minimum, maximum] = [schema.minimum, schema.maximum].map((bound) =>
    typeof bound === 'number' && Math.abs(bound) < Number.MAX_SAFE_INTEGER ? bound : undefined,
  )
  if (minimum !== undefined && maximum !== undefined) return `, ${minimum} to ${maximum}`
  if (minimum !== undefined) return `, from ${minimum}`
  return maximum !== undefined ? `, up to ${maximum}` : ''
}

function hintOf(schema: JsonObject): string {
  const { default: otherwise, examples, format } = schema
  if (otherwise !== undefined) return labelOf(otherwise).slice(0, 200)
  const example = Array.isArray(examples) ? examples[0] : undefined
  if (example !== undefined) return labelOf(example).slice(0, 200)
  return format === 'date-time' ? '2027-05-01T09:30:00Z' : ''
}
