import Negotiator from 'negotiator'

export interface Accepted {
  json: boolean
  sse: boolean
}

const MEDIA_TYPES = ['application/json', 'text/event-stream']
const MAX_REMEMBERED = 256
const remembered = new Map<string, Accepted>()

/**
 * Which of the two answer forms an `Accept` header can take, q-values and wildcards considered (RFC 9110 12.5.1).
 * Clients send the same few strings again and again, so verdicts are remembered.
 */
export function acceptedForms(accept: string | undefined): Accepted {
  const key = accept ?? '*/*'
  const known = remembered.get(key)
  if (known !== undefined) return known
  const types = new Negotiator({ headers: { accept: key } }).mediaTypes(MEDIA_TYPES)
  const verdict = { json: types.includes('application/json'), sse: types.includes('text/event-stream') }
  if (remembered.size >= MAX_REMEMBERED) remembered.clear()
  remembered.set(key, verdict)
  return verdict
}
