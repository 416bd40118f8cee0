import { transportOf } from '../../shared/config/importers'
import { isObject, type JsonObject, type JsonValue } from '../../shared/protocol/json-rpc'
import type { Variable } from './check-backend'

/** How a backend is reached, as the form tells it apart. */
export type BackendKind = 'http' | 'sse' | 'command' | 'replay'

/** A command as it is edited. */
export interface CommandDraft {
  command: string
  args: string[]
  variables: Variable[]
  cwd: string
}

/** A backend as it is edited in the form. What is not of its kind waits for it. */
export interface BackendDraft {
  name: string
  kind: BackendKind
  url: string
  headers: Variable[]
  command: CommandDraft
  /** A capture. */
  file: string
}

export const EMPTY_DRAFT: BackendDraft = {
  name: '',
  kind: 'http',
  url: '',
  headers: [],
  command: { command: '', args: [], variables: [], cwd: '' },
  file: '',
}

const KINDS: Readonly<Record<string, BackendKind>> = {
  http: 'http',
  'streamable-http': 'http',
  sse: 'sse',
  stdio: 'command',
  replay: 'replay',
}
const TYPES: Readonly<Record<BackendKind, string>> = { http: 'http', sse: 'sse', command: 'stdio', replay: 'replay' }

const OF_URL = ['url', 'headers', 'passHeaders']
/** Members that only some kinds have; the others are for all. */
const MEMBERS: Readonly<Record<BackendKind, readonly string[]>> = {
  http: [...OF_URL, 'era'],
  sse: OF_URL,
  command: ['command', 'args', 'env', 'cwd', 'instances', 'era'],
  replay: ['file', 'backend', 'answers', 'pace', 'speed', 'repeat', 'ignore'],
}
/** Members that the form shows. */
const SHOWN: Readonly<Record<BackendKind, readonly string[]>> = {
  http: ['url', 'headers'],
  sse: ['url', 'headers'],
  command: ['command', 'args', 'env', 'cwd'],
  replay: ['file'],
}
const SPECIAL: ReadonlySet<string> = new Set(Object.values(MEMBERS).flat())

/** The form of an entry; undefined when the form cannot show it as it is. */
export function draftOf(name: string, entry: JsonObject): BackendDraft | undefined {
  const kind = kindOf(entry)
  const url = textOf(entry.url)
  const command = textOf(entry.command)
  const cwd = textOf(entry.cwd)
  const file = textOf(entry.file)
  const args = textsOf(entry.args)
  const headers = variablesOf(entry.headers)
  const variables = variablesOf(entry.env)
  if (kind === undefined || url === undefined || command === undefined || cwd === undefined || file === undefined)
    return
  if (args === undefined || headers === undefined || variables === undefined) return
  return { name, kind, url, headers, command: { command, args, variables, cwd }, file }
}

/** How an entry is reached; undefined for a type that is not known. */
export function kindOf(entry: JsonObject): BackendKind | undefined {
  return KINDS[transportOf(entry)]
}

/** The entry that the form makes of `before`: members that it does not show stay, unless the new kind has none such. */
export function entryOf(draft: BackendDraft, before: JsonObject): JsonObject {
  const { kind } = draft
  const kept = Object.entries(before).filter(([key]) => !SPECIAL.has(key) || MEMBERS[kind].includes(key))
  const isNew = Object.keys(before).length === 0
  const type: JsonObject = !isNew && kindOf(before) === kind ? {} : { type: TYPES[kind] }
  const entry: JsonObject = { ...type, ...Object.fromEntries(kept), ...type, ...shownMembers(draft) }
  // What is written out empty may stay so.
  return Object.fromEntries(Object.entries(entry).filter(([key, value]) => !isEmpty(value) || isEmpty(before[key])))
}

function shownMembers({ kind, url, headers, file, command }: BackendDraft): JsonObject {
  if (kind === 'http' || kind === 'sse') return { url: url.trim(), headers: objectOf(headers) }
  if (kind === 'replay') return { file: file.trim() }
  const { command: program, args, variables, cwd } = command
  return { command: program.trim(), args, env: objectOf(variables), cwd: cwd.trim() }
}

/** Members that the form keeps without showing them. */
export function unshownMembers(entry: JsonObject): string[] {
  const kind = kindOf(entry)
  const shown: readonly string[] = kind === undefined ? [] : SHOWN[kind]
  return Object.keys(entry).filter((key) => key !== 'type' && key !== 'disabled' && !shown.includes(key))
}

function objectOf(variables: readonly Variable[]): Record<string, string> {
  const named = variables.filter(({ name }) => name.trim() !== '')
  return Object.fromEntries(named.map(({ name, value }) => [name.trim(), value]))
}

function isEmpty(value: JsonValue | undefined): boolean {
  if (typeof value === 'string') return value === ''
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0
}

function textOf(value: JsonValue | undefined): string | undefined {
  return value === undefined ? '' : typeof value === 'string' ? value : undefined
}

function textsOf(value: JsonValue | undefined): string[] | undefined {
  if (value === undefined) return []
  if (!Array.isArray(value)) return undefined
  const texts = value.filter((one) => typeof one === 'string')
  return texts.length === value.length ? texts : undefined
}

function variablesOf(value: JsonValue | undefined): Variable[] | undefined {
  if (value === undefined) return []
  if (!isObject(value)) return undefined
  const variables: Variable[] = []
  for (const [name, one] of Object.entries(value)) {
    if (typeof one !== 'string') return undefined
    variables.push({ name, value: one })
  }
  return variables
}
