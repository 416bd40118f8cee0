import { useEffect, useState } from 'react'
import type { JsonObject, JsonValue } from '../../shared/protocol/json-rpc'
import type { Problem } from './schema-check'
import type { CheckAnswer, CheckRequest } from './schema-worker'

export interface Checked {
  problems: readonly Problem[]
  /** Why nothing is checked, in words. */
  note: string | null
}

const NOTHING: Checked = { problems: [], note: null }
const PAUSE_MS = 120
const LONGEST_CHECK_MS = 1_500

/** Checks a value against a schema in a worker, shortly after it changed. A check that takes too long is given up. */
export function useSchemaCheck(schema: JsonObject | null, value: JsonValue | undefined): Checked {
  const [checked, setChecked] = useState<{ schema: JsonObject | null; result: Checked }>({ schema, result: NOTHING })
  const gaveUp = checked.schema === schema && checked.result.note !== null
  useEffect(() => {
    if (schema === null || value === undefined || gaveUp) return
    let worker: Worker | null = null
    let deadline: ReturnType<typeof setTimeout> | undefined
    const timer = setTimeout(() => {
      worker = new Worker(new URL('./schema-worker.ts', import.meta.url), { type: 'module' })
      const end = (result: Checked) => {
        clearTimeout(deadline)
        worker?.terminate()
        setChecked({ schema, result })
      }
      deadline = setTimeout(
        () => end({ problems: [], note: 'The schema takes too long to check; nothing is checked here.' }),
        LONGEST_CHECK_MS,
      )
      worker.addEventListener('message', ({ data }: MessageEvent<CheckAnswer>) => {
        if ('unusable' in data) end({ problems: [], note: `The schema cannot be used for checks: ${data.unusable}` })
        else end({ problems: data.problems, note: null })
      })
      worker.addEventListener('error', () => end({ problems: [], note: 'The schema cannot be used for checks.' }))
      worker.postMessage({ schema, value } satisfies CheckRequest)
    }, PAUSE_MS)
    return () => {
      clearTimeout(timer)
      clearTimeout(deadline)
      worker?.terminate()
    }
  }, [schema, value, gaveUp])
  return checked.schema === schema ? checked.result : NOTHING
}
