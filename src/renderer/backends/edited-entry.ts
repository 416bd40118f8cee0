import { isObject, type JsonObject } from '../../shared/protocol/json-rpc'
import { draftOf, EMPTY_DRAFT, entryOf, type BackendDraft } from './backend-draft'

/** An entry while it is edited: in fields, or as JSON. */
export interface EditedEntry {
  /** The fields; undefined until an entry was there that they can show. */
  draft: BackendDraft | undefined
  /** The entry that the fields were made of: it has the members that they do not show. */
  base: JsonObject
  /** The entry as JSON, while that is what is edited. */
  text: string | null
  /** The fields cannot show what the JSON has. */
  unshowable: boolean
}

type Parsed = { entry: JsonObject; problem: null } | { entry: null; problem: string }

/** Null: a new one. */
export function editedEntry(name: string, entry: JsonObject | null): EditedEntry {
  if (entry === null) return { draft: EMPTY_DRAFT, base: {}, text: null, unshowable: false }
  const draft = draftOf(name, entry)
  const unshowable = draft === undefined
  return { draft, base: entry, text: unshowable ? printed(entry) : null, unshowable }
}

/** The entry as it is by now; the problem when its JSON is none. */
export function currentEntry({ draft, base, text }: EditedEntry): Parsed {
  if (text !== null) return parse(text)
  return { entry: draft === undefined ? base : entryOf(draft, base), problem: null }
}

export function asJson(edited: EditedEntry): EditedEntry {
  return edited.text === null ? { ...edited, text: printed(currentEntry(edited).entry ?? edited.base) } : edited
}

/** In fields again, where they can show it: made of what the JSON has by then. */
export function asFields(name: string, edited: EditedEntry): EditedEntry {
  const { entry } = currentEntry(edited)
  // What waits in the fields of another kind stays when nothing was changed.
  if (edited.draft !== undefined && edited.text === asJson({ ...edited, text: null }).text)
    return { ...edited, text: null, unshowable: false }
  const draft = entry === null ? undefined : draftOf(name, entry)
  if (entry === null || draft === undefined) return { ...edited, unshowable: true }
  return { draft, base: entry, text: null, unshowable: false }
}

function printed(entry: JsonObject): string {
  return JSON.stringify(entry, null, 2)
}

function parse(text: string): Parsed {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value)
      ? { entry: value, problem: null }
      : { entry: null, problem: 'An entry is an object, such as { "url": "…" }.' }
  } catch (error) {
    return { entry: null, problem: `This is no JSON yet: ${error instanceof Error ? error.message : String(error)}` }
  }
}
