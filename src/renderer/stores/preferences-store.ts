import { createStore, type StoreApi } from 'zustand/vanilla'
import { isMark, type Mark } from '../../shared/capture/annotation'
import { isActionId } from '../actions/catalog'
import type { ChosenKeys } from '../actions/keymap'
import { isTableGrouping, type TableGrouping } from '../calls/call-groups'
import { COLUMN_IDS, isColumnId, type ColumnId } from '../calls/columns'
import { readSuppressions, type Suppression } from '../findings/suppression'

export type ThemeChoice = 'system' | 'light' | 'dark'
export type DetailPlace = 'below' | 'right'
export interface Sort {
  column: ColumnId
  descending: boolean
}

/** What this desk remembers between runs. */
export interface Preferences {
  theme: ThemeChoice
  detail: DetailPlace
  /** Sizes in percent by group of panes, then by pane. */
  layouts: Record<string, Record<string, number>>
  hiddenColumns: ColumnId[]
  columnWidths: Partial<Record<ColumnId, number>>
  sort: Sort
  pinInFlight: boolean
  /** By what rows are put together in views that are opened from now on: the last choice in any of them. */
  grouping: TableGrouping | null
  /** The mark that the key gives: the last that was chosen. */
  mark: Mark
  /** The strip of all calls over time, above the table. */
  timeline: boolean
  keys: ChosenKeys
  /** The tour was taken or declined: it is not offered again. */
  tourOffered: boolean
  /** Findings that are hidden. */
  suppressed: Suppression[]
}

export const DEFAULT_PREFERENCES: Preferences = {
  theme: 'system',
  detail: 'below',
  layouts: {},
  hiddenColumns: [],
  columnWidths: {},
  sort: { column: 'call', descending: false },
  pinInFlight: false,
  grouping: null,
  mark: 'red',
  timeline: true,
  keys: {},
  tourOffered: false,
  suppressed: [],
}

const KEY = 'sluice.desk'

export type PreferencesStore = StoreApi<Preferences>

/** Preferences that are written to `storage` at every change. A full or forbidden storage costs only the remembering. */
export function createPreferencesStore(storage: Pick<Storage, 'getItem' | 'setItem'>): PreferencesStore {
  const store = createStore<Preferences>(() => readPreferences(readStored(storage)))
  store.subscribe((preferences) => {
    try {
      storage.setItem(KEY, JSON.stringify(preferences))
    } catch (error) {
      console.warn('The desk could not remember its preferences:', error)
    }
  })
  return store
}

function readStored(storage: Pick<Storage, 'getItem'>): unknown {
  try {
    return JSON.parse(storage.getItem(KEY) ?? '{}')
  } catch (error) {
    console.warn('The remembered preferences of the desk cannot be read and are set aside:', error)
    return {}
  }
}

/** Takes every field that reads as it should, and the default for the rest: the stored text may be older or broken. */
export function readPreferences(stored: unknown): Preferences {
  const read = { ...DEFAULT_PREFERENCES }
  if (!isRecord(stored)) return read
  const {
    theme,
    detail,
    layouts,
    hiddenColumns,
    columnWidths,
    sort,
    pinInFlight,
    grouping,
    mark,
    timeline,
    keys,
    tourOffered,
    suppressed,
  } = stored
  if (theme === 'system' || theme === 'light' || theme === 'dark') read.theme = theme
  if (detail === 'below' || detail === 'right') read.detail = detail
  if (typeof pinInFlight === 'boolean') read.pinInFlight = pinInFlight
  if (isMark(mark)) read.mark = mark
  if (isTableGrouping(grouping)) read.grouping = grouping
  if (typeof timeline === 'boolean') read.timeline = timeline
  if (typeof tourOffered === 'boolean') read.tourOffered = tourOffered
  read.suppressed = readSuppressions(suppressed)
  if (isRecord(keys)) read.keys = readKeys(keys)
  if (isRecord(layouts)) read.layouts = readLayouts(layouts)
  if (Array.isArray(hiddenColumns)) read.hiddenColumns = hiddenColumns.filter(isColumnId)
  if (isRecord(columnWidths)) {
    read.columnWidths = {}
    for (const id of COLUMN_IDS) {
      const width = columnWidths[id]
      if (isSize(width)) read.columnWidths[id] = width
    }
  }
  if (isRecord(sort) && isColumnId(sort.column)) {
    read.sort = { column: sort.column, descending: sort.descending === true }
  }
  return read
}

function readKeys(stored: Record<string, unknown>): ChosenKeys {
  const keys: ChosenKeys = {}
  for (const [action, key] of Object.entries(stored)) {
    if (isActionId(action) && (key === null || (typeof key === 'string' && key !== ''))) keys[action] = key
  }
  return keys
}

function readLayouts(stored: Record<string, unknown>): Preferences['layouts'] {
  const layouts: Preferences['layouts'] = {}
  for (const [group, sizes] of Object.entries(stored)) {
    if (!isRecord(sizes)) continue
    const entries = Object.entries(sizes)
    if (entries.every((entry): entry is [string, number] => isSize(entry[1])))
      layouts[group] = Object.fromEntries(entries)
  }
  return layouts
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
function isSize(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0
}
