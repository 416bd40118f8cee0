import { useEffect, useRef, useState } from 'react'
import { Statistics, type GroupStatistics, type Grouping } from '../../shared/capture/statistics'
import { useCalls, useSource } from '../stores/desk-context'

/** Calls looked at in one go: a few milliseconds. */
const SLICE = 4_000
/** While calls come in, the numbers are renewed this often. */
const AGAIN_MS = 1_000

export interface CountedStatistics {
  groups: readonly GroupStatistics[]
  calls: number
  /** The first count is under way. */
  working: boolean
}

/** Statistics of all calls of the source that is looked at, renewed while there are new ones. */
export function useStatistics(by: Grouping): CountedStatistics {
  const { calls } = useSource()
  const changes = useCalls((state) => state.changes)
  const [counted, setCounted] = useState<CountedStatistics & { by: Grouping }>({
    by,
    groups: [],
    calls: 0,
    working: true,
  })
  const [due, setDue] = useState(0)

  const changed = useRef(false)
  useEffect(() => {
    changed.current = true
  }, [changes])
  useEffect(() => {
    const timer = setInterval(() => {
      if (!changed.current) return
      changed.current = false
      setDue((count) => count + 1)
    }, AGAIN_MS)
    return () => clearInterval(timer)
  }, [])

  useEffect(() => {
    const all = calls.ordered()
    const statistics = new Statistics(by)
    let at = 0
    let timer: ReturnType<typeof setTimeout> | undefined
    const slice = (): void => {
      for (const end = Math.min(all.length, at + SLICE); at < end; at++) {
        const call = all[at]
        if (call !== undefined) statistics.add(call)
      }
      if (at < all.length) timer = setTimeout(slice, 0)
      else setCounted({ by, groups: statistics.groups(), calls: all.length, working: false })
    }
    slice()
    return () => clearTimeout(timer)
  }, [calls, by, due])

  return counted.by === by ? counted : { groups: [], calls: counted.calls, working: true }
}
