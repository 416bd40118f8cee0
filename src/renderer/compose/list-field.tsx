import { Plus } from 'lucide-react'
import type { JsonObject, JsonValue } from '../../shared/protocol/json-rpc'
import { addedValue } from './json-schema'
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
      <button type="button" className={styles.add} onClick={() => onEdit(path, [...list, addedValue(items, root)])}>
        <Plus size={11} aria-hidden /> add item {list.length + 1}
      </button>
    </div>
  )
}
