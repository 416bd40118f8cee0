import type { JsonObject } from '../../shared/protocol/json-rpc'
import { draftOf, EMPTY_DRAFT, entryOf, type BackendDraft } from './backend-draft'
import { readEntry, type ReadEntry } from './read-entry'

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

/** Null: a new one. */
export function editedEntry(name: string, entry: JsonObject | null): EditedEntry {
  if (entry === null) return { draft: EMPTY_DRAFT, base: {}, text: null, unshowable: false }
  const draft = draftOf(name, entry)
  const unshowable = draft === undefined
  return { draft, base: entry, text: unshowable ? printed(entry) : null, unshowable }
}

/** The entry as it is by now; the problem when its text has none. */
export function currentEntry({ draft, base, text }: EditedEntry): ReadEntry {
  if (text !== null) return readEntry(text)
  const entry = draft === undefined ? base : entryOf(draft, base)
  return { entry, source: JSON.stringify(entry), name: null, problem: null }
}

export function asJson(edited: EditedEntry): EditedEntry {
  if (edited.text !== null) return edited
  const entry = currentEntry(edited).entry ?? edited.base
  // Into the JSON of a new one something is pasted.
  return { ...edited, text: Object.keys(entry).every((key) => key === 'type') ? '' : printed(entry) }
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
