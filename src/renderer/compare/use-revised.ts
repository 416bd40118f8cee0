import { useRef } from 'react'

/** What is made of records that grow in place: made anew when their revision is another one. */
export function useRevised<T>(revision: string, make: () => T): T {
  const cache = useRef<{ revision: string; value: T } | null>(null)
  if (cache.current === null || cache.current.revision !== revision) cache.current = { revision, value: make() }
  return cache.current.value
}
