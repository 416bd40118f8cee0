import type { InputAsk } from '../../shared/api/compose'
import { isObject, type JsonObject, type JsonValue } from '../../shared/protocol/json-rpc'
import { contentOf, type ContentBlock } from '../content/content-blocks'
import { startingValue } from './json-schema'
import { readObject } from './params-text'

export type AskKind = 'form' | 'url' | 'sampling' | 'roots' | 'other'
export type Action = 'accept' | 'decline' | 'cancel'

/** An answer as it is edited. */
export interface AskDraft {
  /** Elicitations only. */
  action: Action
  /** JSON text: the content of an accepted form, or the whole result of another method. */
  text: string
  /** Give this answer from now on without asking. */
  always: boolean
}

export function kindOf({ method, params }: InputAsk): AskKind {
  if (method === 'elicitation/create') return params.mode === 'url' ? 'url' : 'form'
  if (method === 'sampling/createMessage') return 'sampling'
  return method === 'roots/list' ? 'roots' : 'other'
}

/** The schema of a form; one that takes nothing when there is none. */
export function schemaOf({ params }: InputAsk): JsonObject {
  return isObject(params.requestedSchema) ? params.requestedSchema : { type: 'object', properties: {} }
}

export function beginAsk(ask: InputAsk, roots: readonly string[]): AskDraft {
  return {
    action: canAccept(ask) ? 'accept' : 'decline',
    text: JSON.stringify(beginning(ask, roots), null, 2),
    always: false,
  }
}

/** An address that cannot be opened cannot be agreed to. */
export function canAccept(ask: InputAsk): boolean {
  return kindOf(ask) !== 'url' || hostOf(ask.params.url) !== null
}

function beginning(ask: InputAsk, roots: readonly string[]): JsonValue {
  switch (kindOf(ask)) {
    case 'form': {
      const schema = schemaOf(ask)
      return startingValue(schema, schema) ?? {}
    }
    case 'sampling':
      return samplingResult('')
    case 'roots':
      return rootsResult(roots)
    case 'url':
    case 'other':
      return {}
  }
}

/** The result that a question is answered with, or what is in its way, in words. */
export function responseOf(ask: InputAsk, draft: AskDraft): { response: JsonObject } | { problem: string } {
  const kind = kindOf(ask)
  if (kind === 'url') return { response: { action: draft.action } }
  if (kind === 'form' && draft.action !== 'accept') return { response: { action: draft.action } }
  const read = readObject(draft.text)
  if (read.mark !== null) return { problem: read.mark.message }
  return { response: kind === 'form' ? { action: 'accept', content: read.value } : read.value }
}

/** A message of a model, as a person stands in for one (client/sampling). */
export function samplingResult(text: string, model = 'a person'): JsonObject {
  return { role: 'assistant', content: { type: 'text', text }, model, stopReason: 'endTurn' }
}

export function rootsResult(folders: readonly string[]): JsonObject {
  const uris = folders.map((folder) => rootUri(folder)).filter((uri) => uri !== null)
  return { roots: uris.map((uri) => ({ uri })) }
}

/** The `file:` URI of a folder; null for an empty line. Roots are `file:` URIs (client/roots). */
export function rootUri(folder: string): string | null {
  const path = folder.trim()
  if (path === '') return null
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(path)) return path
  const slashed = path.replaceAll('\\', '/')
  const absolute = slashed.startsWith('/') ? slashed : `/${slashed}`
  return `file://${absolute.split('/').map(encodePart).join('/')}`
}

/** Folders that are written without where they begin: they are sent as if the root of the file system were meant. */
export function relativeFolders(folders: readonly string[]): string[] {
  return folders
    .map((folder) => folder.trim())
    .filter((path) => path !== '' && !/^(?:[a-z][a-z0-9+.-]+:\/\/|[a-z]:[\\/]|[\\/])/i.test(path))
}

function encodePart(part: string): string {
  return encodeURIComponent(part).replaceAll('%3A', ':')
}

/** One message that a sampling request asks to go on from. */
export interface SamplingMessage {
  role: string
  /** Its texts, a line each. */
  text: string
  /** What it has beside texts: images, sounds, results of tools. */
  others: ContentBlock[]
}

/** The messages that a sampling request asks to go on from, after the system prompt. */
export function samplingMessages({ systemPrompt, messages }: JsonObject): SamplingMessage[] {
  const system = typeof systemPrompt === 'string' ? [{ role: 'system', text: systemPrompt, others: [] }] : []
  const said = Array.isArray(messages) ? messages.filter(isObject) : []
  return [
    ...system,
    ...said.map(({ role, content }) => {
      const blocks = contentOf({ content: Array.isArray(content) ? content : [content ?? null] }) ?? []
      const texts = blocks.flatMap((block) => (block.kind === 'text' && block.uri === null ? [block.text] : []))
      const others = blocks.filter((block) => block.kind !== 'text' || block.uri !== null)
      return { role: String(role), text: texts.join('\n'), others }
    }),
  ]
}

/** What a sampling request wishes of the model, in words; empty when nothing (client/sampling "Model Preferences"). */
export function samplingWishes({ maxTokens, temperature, modelPreferences }: JsonObject): string {
  const hints = isObject(modelPreferences) && Array.isArray(modelPreferences.hints) ? modelPreferences.hints : []
  const names = hints.flatMap((hint) => (isObject(hint) && typeof hint.name === 'string' ? [hint.name] : []))
  return [
    typeof maxTokens === 'number' ? `at most ${maxTokens} tokens` : '',
    typeof temperature === 'number' ? `temperature ${temperature}` : '',
    names.length > 0 ? `a model like ${names.join(', ')}` : '',
  ]
    .filter((wish) => wish !== '')
    .join(' · ')
}

/** Where an address leads to; null when it is none that can be opened. */
export function hostOf(url: JsonValue | undefined): string | null {
  if (typeof url !== 'string' || !URL.canParse(url)) return null
  const { protocol, host, username, password } = new URL(url)
  return (protocol === 'http:' || protocol === 'https:') && username === '' && password === '' ? host : null
}
