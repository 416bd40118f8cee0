import { useRef } from 'react'
import type { JsonObject } from '../../shared/protocol/json-rpc'
import { goToFirstProblem } from './first-problem'
import { withValueAt } from './params-text'
import { ProblemsLine } from './problems-line'
import { SchemaForm } from './schema-form'
import { useSchemaCheck } from './use-schema-check'
import styles from './answer.module.css'

interface ElicitedFormProps {
  schema: JsonObject
  labelId: string
  text: string
  value: JsonObject
  tried: boolean
  onChange: (text: string) => void
}

/** The form of an elicitation. What breaks its schema can be sent all the same: that is a test too. */
export function ElicitedForm(props: ElicitedFormProps) {
  const { schema, labelId, text, value, tried, onChange } = props
  const { problems, note } = useSchemaCheck(schema, value)
  const holder = useRef<HTMLDivElement>(null)
  const told = tried ? problems : problems.filter(({ missing }) => missing !== true)
  if (schema.properties === undefined || Object.keys(schema.properties ?? {}).length === 0)
    return <p className={styles.quiet}>It asks for no values.</p>
  return (
    <div ref={holder} className={styles.elicited}>
      <ProblemsLine
        count={told.length}
        onGo={() => holder.current !== null && goToFirstProblem(holder.current, told)}
      />
      <SchemaForm
        schema={schema}
        root={schema}
        labelId={labelId}
        value={value}
        base=""
        problems={told}
        onEdit={(path, next) => onChange(withValueAt(text, path, next) ?? text)}
      />
      {note !== null && <p className={styles.quiet}>{note}</p>}
    </div>
  )
}
