import type { RecordedCapture } from './capture-source'

const MAX_NAMES = 10

/** The backend of a capture that is meant: the named one, the one of the same name, the only one; or in words why none is. */
export function chooseBackend(
  capture: Pick<RecordedCapture, 'calls'>,
  own: string,
  wanted: string | undefined,
): { backend: string } | { problem: string; fix: string } {
  const names = new Set<string>()
  for (const { backends } of capture.calls()) for (const name of backends) names.add(name)
  const known = [...names].sort()
  const listed = known
    .slice(0, MAX_NAMES)
    .map((name) => JSON.stringify(name))
    .join(', ')
  const all = known.length > MAX_NAMES ? `${listed} and ${known.length - MAX_NAMES} more` : listed
  if (known.length === 0)
    return { problem: 'has no call that reached a backend', fix: 'record calls through Sluice, and use that capture' }
  if (wanted !== undefined)
    return names.has(wanted)
      ? { backend: wanted }
      : {
          problem: `has no calls to a backend ${JSON.stringify(wanted)}, only to ${all}`,
          fix: 'name one of these in "backend"',
        }
  if (names.has(own)) return { backend: own }
  const [only] = known
  if (known.length === 1 && only !== undefined) return { backend: only }
  return {
    problem: `has calls to ${all}, and to none that is named ${JSON.stringify(own)}`,
    fix: 'say which one is meant with "backend"',
  }
}
