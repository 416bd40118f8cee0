import type { JsonObject } from '../../shared/protocol/json-rpc'
import { withValueAt } from './params-text'
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
  if (schema.properties === undefined || Object.keys(schema.properties ?? {}).length === 0)
    return <p className={styles.quiet}>It asks for no values.</p>
  return (
    <>
      <SchemaForm
        schema={schema}
        root={schema}
        labelId={labelId}
        value={value}
        problems={tried ? problems : problems.filter(({ missing }) => missing !== true)}
        onEdit={(path, next) => onChange(withValueAt(text, path, next) ?? text)}
      />
      {note !== null && <p className={styles.quiet}>{note}</p>}
    </>
  )
}
