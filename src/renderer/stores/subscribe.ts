/** Adds a listener under a key; the returned function takes it out. */
export function subscribe<K>(map: Map<K, Set<() => void>>, key: K, listener: () => void): () => void {
  const listeners = map.get(key) ?? new Set()
  map.set(key, listeners.add(listener))
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0 && map.get(key) === listeners) map.delete(key)
  }
}
