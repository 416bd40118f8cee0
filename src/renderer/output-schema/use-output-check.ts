import { useEffect, useEffectEvent, useMemo, useState } from 'react'
import type { CallSummary } from '../../shared/capture/summary'
import type { JsonObject, JsonValue } from '../../shared/protocol/json-rpc'
import type { Problem } from '../compose/schema-check'
import { useSchemaCheck } from '../compose/use-schema-check'
import { toCommandError } from '../connection/command-failure'
import { useSource } from '../stores/desk-context'
import type { Source } from '../stores/source'
import { OutputSchemas, type OutputSchema } from './output-schemas'

/** What came of looking at structured content against the output schema of its tool. */
export interface OutputCheck {
  /** Null while it is looked for. */
  schema: OutputSchema | null
  problems: readonly Problem[]
  /** Why nothing is checked, in words; null when it was, or still is. */
  unchecked: string | null
}

/** Longer content is not checked, in UTF-16 code units: copying it to the worker would hold up the desk. */
const LONGEST = 1_000_000
const schemasOf = new WeakMap<Source, OutputSchemas>()

/** Checks what a tool gave, shortly after it was opened. `text` is undefined when the result has no structured content. */
export function useOutputCheck(
  summary: CallSummary,
  result: JsonObject | undefined,
  text: string | undefined,
): OutputCheck {
  const source = useSource()
  const { call, outcome } = summary
  const [found, setFound] = useState<{ call: number; schema: OutputSchema | null; failed: string | null } | null>(null)
  const asked = result !== undefined && summary.method === 'tools/call' && outcome !== null
  const find = useEffectEvent(() => (schemasOf.get(source) ?? newSchemas(source)).of(summary))
  useEffect(() => {
    if (!asked) return
    let left = false
    void find().then(
      (schema) => !left && setFound({ call, schema, failed: null }),
      (reason: unknown) => !left && setFound({ call, schema: null, failed: toCommandError(reason).message }),
    )
    return () => {
      left = true
    }
  }, [source, call, asked])
  const schema = found?.call === call ? found.schema : null
  const failed = found?.call === call ? found.failed : null
  const isError = result?.isError === true
  const tooLong = text !== undefined && text.length > LONGEST
  const checks = schema?.kind === 'schema' && text !== undefined && !tooLong && !isError
  const value = useMemo(() => (checks ? (JSON.parse(text) as JsonValue) : undefined), [checks, text])
  const checked = useSchemaCheck(checks ? schema.schema : null, value)
  const missing = schema?.kind === 'schema' && text === undefined && !isError
  return {
    schema,
    problems: missing ? MISSING : checked.problems,
    unchecked: uncheckedWords(schema, { failed, isError, tooLong }) ?? checked.note,
  }
}

const MISSING: readonly Problem[] = [
  { pointer: '', message: 'is missing, though the tool has an output schema', missing: true },
]

function newSchemas(source: Source): OutputSchemas {
  const { connection, calls } = source
  const schemas = new OutputSchemas({ connection, newest: () => calls.newest() })
  schemasOf.set(source, schemas)
  return schemas
}

function uncheckedWords(
  schema: OutputSchema | null,
  why: { failed: string | null; isError: boolean; tooLong: boolean },
): string | null {
  if (why.failed !== null) return `The list of tools could not be read: ${why.failed}`
  if (schema === null) return null
  if (schema.kind === 'unlisted')
    return 'Not checked: no recorded tools/list of this endpoint has the tool, so its output schema is not known.'
  if (schema.kind === 'none') return 'Not checked: the tool was listed without an output schema.'
  if (why.isError) return 'Not checked: the tool says that it failed, and then its result need not fit.'
  return why.tooLong ? 'Not checked: it is longer than a million characters.' : null
}
