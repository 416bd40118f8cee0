import { isObject, type JsonObject, type JsonValue } from './json-rpc'

/** Whether a legacy client with these capabilities, which it declared at `initialize`, can be asked `method` by its server. */
export function canBeAsked(capabilities: JsonObject, method: string, params: JsonValue | undefined): boolean {
  const { elicitation, sampling, roots } = capabilities
  if (method === 'sampling/createMessage') return sampling !== undefined
  if (method === 'roots/list') return roots !== undefined
  if (method !== 'elicitation/create' || elicitation === undefined) return false
  const mode = isObject(params) ? params.mode : undefined
  return mode !== 'url' || (isObject(elicitation) && elicitation.url !== undefined)
}
