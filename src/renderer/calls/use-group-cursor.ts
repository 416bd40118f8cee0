import { useState } from 'react'

export interface GroupCursor {
  /** The row at which the reader is: a group's (below zero), or that of the selected call. */
  at: number | null
  standAt: (row: number) => void
  leave: () => void
}

/**
 * Where the keyboard stands in a table with groups. A group can be stood at but not selected: what is open stays open. The
 * next selection takes the reader to the selected call.
 */
export function useGroupCursor(selected: number | null): GroupCursor {
  const [group, setGroup] = useState<{ row: number; selected: number | null } | null>(null)
  return {
    at: group !== null && group.selected === selected ? group.row : selected,
    standAt: (row) => setGroup({ row, selected }),
    leave: () => setGroup(null),
  }
}
