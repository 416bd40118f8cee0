import { Plus } from 'lucide-react'
import type { JsonObject, JsonValue } from '../../shared/protocol/json-rpc'
import { fieldOf, startingValue } from './json-schema'
import { LabelledField, RemoveTool, type FieldProps } from './schema-form'
import styles from './schema-form.module.css'

interface ListFieldProps extends FieldProps {
  items: JsonObject
  value: JsonValue[] | undefined
}

const MOST_SHOWN = 100

/** A list, item by item. */
export function ListField({
  items,
  value,
  path,
  pointer,
  schema: _schema,
  required: _required,
  ...context
}: ListFieldProps) {
  const list = value ?? []
  const { root, onEdit } = context
  const added = () => startingValue(items, root) ?? emptyOf(items, root)
  return (
    <div className={styles.members} data-nested>
      {list.slice(0, MOST_SHOWN).map((item, index) => (
        <LabelledField
          key={index}
          name={`${index + 1}`}
          schema={items}
          value={item}
          path={[...path, index]}
          pointer={`${pointer}/${index}`}
          required
          tools={<RemoveTool name={`item ${index + 1}`} onClick={() => onEdit(path, list.toSpliced(index, 1))} />}
          {...context}
        />
      ))}
      {list.length > MOST_SHOWN && (
        <p className={styles.others}>{list.length - MOST_SHOWN} more items: edit them in the JSON.</p>
      )}
      <button type="button" className={styles.add} onClick={() => onEdit(path, [...list, added()])}>
        <Plus size={11} aria-hidden /> add item {list.length + 1}
      </button>
    </div>
  )
}

function emptyOf(schema: JsonObject, root: JsonObject): JsonValue {
  switch (fieldOf(schema, root).kind) {
    case 'text':
      return ''
    case 'number':
      return 0
    case 'boolean':
      return false
    case 'list':
    case 'several':
      return []
    case 'object':
    case 'variants':
      return {}
    case 'fixed':
    case 'choice':
    case 'json':
      return null
  }
}
