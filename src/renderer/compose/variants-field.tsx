import { useState } from 'react'
import type { JsonObject } from '../../shared/protocol/json-rpc'
import controls from '../controls/controls.module.css'
import { visibleString } from '../text/visible-text'
import { addedValue, variantOf } from './json-schema'
import { SchemaForm, type FieldProps } from './schema-form'
import styles from './schema-form.module.css'

interface VariantsFieldProps extends FieldProps {
  variants: readonly { label: string; schema: JsonObject }[]
  labelId: string
}

/** One of several schemas: which one is told from the value, until another is chosen. */
export function VariantsField({ variants, labelId, value, path, pointer, root, problems, onEdit }: VariantsFieldProps) {
  const [chosen, setChosen] = useState<number | null>(null)
  const found = variantOf(value, variants, root)
  const current = chosen ?? found
  const variant = variants[current]
  const choose = (index: number) => {
    setChosen(index)
    const next = variants[index]
    onEdit(path, next === undefined ? undefined : addedValue(next.schema, root))
  }
  const below = problems
    .filter((problem) => problem.pointer === pointer || problem.pointer.startsWith(`${pointer}/`))
    .map((problem) => ({ ...problem, pointer: problem.pointer.slice(pointer.length) }))
  return (
    <div className={styles.members} data-nested>
      <select
        className={controls.input}
        aria-labelledby={labelId}
        value={current}
        onChange={(event) => choose(Number(event.target.value))}
      >
        <option value={-1}>left out</option>
        {variants.map(({ label }, index) => (
          <option key={index} value={index}>
            {visibleString(label).slice(0, 120)}
          </option>
        ))}
      </select>
      {variant !== undefined && value !== null && (
        <SchemaForm
          key={current}
          labelId={labelId}
          schema={variant.schema}
          root={root}
          value={value}
          problems={below.filter((problem) => problem.pointer !== '')}
          onEdit={(inner, next) => onEdit([...path, ...inner], next)}
        />
      )}
    </div>
  )
}
