import { describe, expect, it, vi } from 'vitest'
import { createPreferencesStore, DEFAULT_PREFERENCES, readPreferences } from './preferences-store'

describe('preferences', () => {
  it('takes what reads as it should and the default for the rest', () => {
    expect(readPreferences(null)).toEqual(DEFAULT_PREFERENCES)
    expect(
      readPreferences({
        theme: 'purple',
        detail: 'right',
        layouts: { work: { table: 40, detail: 60 }, broken: { table: 'wide' } },
        hiddenColumns: ['era', 'nonsense'],
        columnWidths: { target: 300, era: -1 },
        sort: { column: 'duration', descending: true },
      }),
    ).toEqual({
      ...DEFAULT_PREFERENCES,
      detail: 'right',
      layouts: { work: { table: 40, detail: 60 } },
      hiddenColumns: ['era'],
      columnWidths: { target: 300 },
      sort: { column: 'duration', descending: true },
    })
  })

  it('remembers every change', () => {
    const stored = new Map<string, string>()
    const storage = {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => void stored.set(key, value),
    }
    createPreferencesStore(storage).setState({ theme: 'dark' })
    expect(createPreferencesStore(storage).getState().theme).toBe('dark')
  })

  it('goes on without remembering when the storage refuses or holds nonsense', () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    const store = createPreferencesStore({
      getItem: () => '{nonsense',
      setItem: () => {
        throw new Error('quota')
      },
    })
    store.setState({ theme: 'light' })
    expect(store.getState().theme).toBe('light')
    expect(warn).toHaveBeenCalledTimes(2)
    warn.mockRestore()
  })
})
