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

const LEFT_OUT = 'left-out'
const NONE = 'none'

/** One of several schemas: which one is told from the value, until another is chosen. */
export function VariantsField(props: VariantsFieldProps) {
  const { variants, labelId, value, path, pointer, base, root, required, problems, onEdit } = props
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
        value={current !== -1 ? current : value === undefined && !required ? LEFT_OUT : NONE}
        onChange={(event) => choose(event.target.value === LEFT_OUT ? -1 : Number(event.target.value))}
      >
        {!required && <option value={LEFT_OUT}>left out</option>}
        {current === -1 && (value !== undefined || required) && (
          <option value={NONE}>{value === undefined ? 'choose…' : 'none of these, as written'}</option>
        )}
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
          base={`${base}${pointer}`}
          problems={below.filter((problem) => problem.pointer !== '')}
          onEdit={(inner, next) => onEdit([...path, ...inner], next)}
        />
      )}
    </div>
  )
}
