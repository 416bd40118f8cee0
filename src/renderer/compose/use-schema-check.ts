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

/** Checks a value against a schema in a worker. Never rejects; a check that takes too long is given up. */
export function checkInWorker(schema: JsonObject, value: JsonValue, signal?: AbortSignal): Promise<Checked> {
  return new Promise((resolve) => {
    const worker = new Worker(new URL('./schema-worker.ts', import.meta.url), { type: 'module' })
    const end = (result: Checked) => {
      clearTimeout(deadline)
      worker.terminate()
      resolve(result)
    }
    const unusable = (note: string) => end({ problems: [], note })
    const deadline = setTimeout(
      () => unusable('The schema takes too long to check; nothing is checked here.'),
      LONGEST_CHECK_MS,
    )
    signal?.addEventListener('abort', () => end(NOTHING))
    worker.addEventListener('message', ({ data }: MessageEvent<CheckAnswer>) => {
      if ('unusable' in data) unusable(`The schema cannot be used for checks: ${data.unusable}`)
      else end({ problems: data.problems, note: null })
    })
    worker.addEventListener('error', () => unusable('The schema cannot be used for checks.'))
    worker.postMessage({ schema, value } satisfies CheckRequest)
  })
}

/** What is wrong with a value, shortly after it changed. A schema that cannot be used is not tried again. */
export function useSchemaCheck(schema: JsonObject | null, value: JsonValue | undefined): Checked {
  const [checked, setChecked] = useState<{ schema: JsonObject | null; result: Checked }>({ schema, result: NOTHING })
  const gaveUp = checked.schema === schema && checked.result.note !== null
  useEffect(() => {
    if (schema === null || value === undefined || gaveUp) return
    const stop = new AbortController()
    const timer = setTimeout(() => {
      void checkInWorker(schema, value, stop.signal).then((result) => {
        if (!stop.signal.aborted) setChecked({ schema, result })
      })
    }, PAUSE_MS)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [schema, value, gaveUp])
  return checked.schema === schema ? checked.result : NOTHING
}
