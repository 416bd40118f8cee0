import { isSecretField } from '../../shared/api/secret-field'
import { isObject, type JsonObject, type JsonValue } from '../../shared/protocol/json-rpc'
import { isLogLevel } from '../../shared/protocol/meta'
import { EMPTY_DRAFT, type Draft } from './draft'

/** An answer that is given without asking: to this question of this tool, on this endpoint. */
export interface AnswerRule {
  endpoint: string
  method: string
  target: string | null
  key: string
  response: JsonObject
}

export type EditorForm = 'form' | 'json' | 'both'

/** What compose remembers between runs. */
export interface RememberedCompose {
  draft: Draft
  editor: EditorForm
  rules: AnswerRule[]
  /** Folders that questions for roots were answered with last. */
  roots: string[]
  /** Texts that sampling was answered with, the latest first. */
  samples: string[]
}

const NOTHING_REMEMBERED: RememberedCompose = {
  draft: EMPTY_DRAFT,
  editor: 'both',
  rules: [],
  roots: [],
  samples: [],
}

const KEY = 'sluice.compose'
const LONGEST_PARAMS = 100_000
const MOST_KEPT = 100

/** A full or forbidden storage costs only the remembering. Values of secret fields are not kept. */
export function rememberCompose(storage: Pick<Storage, 'setItem'>, state: RememberedCompose): void {
  const { draft, editor, rules, roots, samples } = state
  const headers = draft.headers.map(({ name, value }) => ({ name, value: isSecretField(name) ? '' : value }))
  const params = draft.params.length > LONGEST_PARAMS ? '{}' : draft.params
  try {
    storage.setItem(KEY, JSON.stringify({ draft: { ...draft, headers, params }, editor, rules, roots, samples }))
  } catch (error) {
    console.warn('The desk could not remember what is composed:', error)
  }
}

/** Takes every field that reads as it should: the stored text may be older or broken. */
export function rememberedCompose(storage: Pick<Storage, 'getItem'>): RememberedCompose {
  const read = { ...NOTHING_REMEMBERED }
  const stored = readStored(storage)
  if (!isObject(stored)) return read
  if (isObject(stored.draft)) read.draft = readDraft(stored.draft)
  if (stored.editor === 'form' || stored.editor === 'json' || stored.editor === 'both') read.editor = stored.editor
  read.roots = textsOf(stored.roots)
  read.samples = textsOf(stored.samples)
  if (Array.isArray(stored.rules)) read.rules = stored.rules.flatMap(readRule).slice(0, MOST_KEPT)
  return read
}

function readStored(storage: Pick<Storage, 'getItem'>): unknown {
  try {
    return JSON.parse(storage.getItem(KEY) ?? 'null')
  } catch (error) {
    console.warn('What was composed cannot be read and is set aside:', error)
    return null
  }
}

function readDraft(stored: JsonObject): Draft {
  const text = (value: JsonValue | undefined, otherwise: string) => (typeof value === 'string' ? value : otherwise)
  const { headers, template } = stored
  const values = isObject(template) && isObject(template.values) ? Object.entries(template.values) : []
  return {
    endpoint: text(stored.endpoint, EMPTY_DRAFT.endpoint),
    era: stored.era === 'legacy' ? 'legacy' : 'modern',
    method: text(stored.method, EMPTY_DRAFT.method),
    params: text(stored.params, EMPTY_DRAFT.params),
    capabilities: text(stored.capabilities, EMPTY_DRAFT.capabilities),
    meta: text(stored.meta, EMPTY_DRAFT.meta),
    logLevel: isLogLevel(stored.logLevel) ? stored.logLevel : null,
    progress: stored.progress === true,
    headers: Array.isArray(headers)
      ? headers.filter(isObject).map(({ name, value }) => ({ name: text(name, ''), value: text(value, '') }))
      : [],
    template:
      isObject(template) && typeof template.uriTemplate === 'string'
        ? {
            uriTemplate: template.uriTemplate,
            values: Object.fromEntries(values.map(([name, value]): [string, string] => [name, text(value, '')])),
          }
        : null,
  }
}

function readRule(stored: JsonValue): AnswerRule[] {
  if (!isObject(stored)) return []
  const { endpoint, method, target, key, response } = stored
  if (typeof endpoint !== 'string' || typeof method !== 'string' || typeof key !== 'string') return []
  if (!isObject(response) || (target !== null && typeof target !== 'string')) return []
  return [{ endpoint, method, target, key, response }]
}

function textsOf(value: JsonValue | undefined): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string').slice(0, MOST_KEPT) : []
}
