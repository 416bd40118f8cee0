import { useCallback, useEffect, useEffectEvent, useLayoutEffect, useRef, useState, type RefObject } from 'react'
import { placeOf } from '../stores/ordered-numbers'
import type { Sort } from '../stores/preferences-store'
import type { TableGrouping } from './call-groups'

/**
 * The end of the table where new calls appear; null when they may appear anywhere: rows are in groups, or not in order of
 * their numbers.
 */
export type Edge = 'end' | 'top' | null

export function edgeOf(sort: Sort, grouping: TableGrouping | null): Edge {
  if (grouping !== null || (sort.column !== 'call' && sort.column !== 'time')) return null
  return sort.descending ? 'top' : 'end'
}

/** The newest call of a table with groups, and the row that shows it. */
export interface NewestInGroups {
  call: number
  row: number
  /** How many calls are newer than one. */
  after: (call: number) => number
}

export interface Follow {
  /** Rows that came since the list was last followed. */
  fresh: number
  /** The edge at which the table is kept; null when the reader has left it. */
  held: Edge
  onScroll: () => void
  toEdge: () => void
}

export interface FollowOptions {
  scroller: RefObject<HTMLElement | null>
  rows: readonly number[]
  revision: number
  edge: Edge
  /** What is followed where there is no edge; null: nothing. */
  newest: NewestInGroups | null
  rowHeight: number
  /** What stands above the first row. */
  headHeight: number
  paused: boolean
}

const NEAR = 8

/**
 * Keeps the table at the edge where new calls appear while the reader is there, or with groups the newest call in sight while
 * the one before it was, and keeps still what is being read otherwise: the first row in sight stays where it is whatever
 * comes, goes or changes its place above it.
 */
export function useFollow(options: FollowOptions): Follow {
  const { scroller, rows, revision, edge, newest, rowHeight, headHeight, paused } = options
  const follows = edge !== null || newest !== null
  const atEdge = useRef(true)
  const anchor = useRef<{ call: number; into: number } | null>(null)
  const seen = useRef(0)
  const [fresh, setFresh] = useState(0)
  const [held, setHeld] = useState(true)

  const countFresh = useCallback(() => {
    if (!follows) {
      setFresh(0)
      return
    }
    const last = newest?.call ?? (edge === 'end' ? rows.at(-1) : rows[0]) ?? 0
    if (atEdge.current && !paused) seen.current = Math.max(seen.current, last)
    const after =
      newest !== null
        ? newest.after(seen.current)
        : edge === 'end'
          ? rows.length - placeOf(rows, seen.current + 1, false)
          : placeOf(rows, seen.current, true)
    setFresh(after)
  }, [rows, edge, newest, follows, paused])

  /** How far the row of the newest call is out of sight, in pixels: above it less than 0. */
  const newestAway = useCallback(() => {
    const element = scroller.current
    const index = newest === null ? -1 : rows.indexOf(newest.row)
    if (element === null || newest === null || index < 0) return 0
    const top = index * rowHeight - element.scrollTop
    // Above a call stands the head of its group.
    const least = newest.row < 0 ? 0 : rowHeight
    const most = element.clientHeight - headHeight - rowHeight
    return top < least ? top - least : Math.max(0, top - Math.max(least, most))
  }, [scroller, rows, newest, rowHeight, headHeight])

  const onScroll = useCallback(() => {
    const element = scroller.current
    if (element === null) return
    const distance =
      newest !== null
        ? Math.abs(newestAway())
        : edge === 'top'
          ? element.scrollTop
          : headHeight + rows.length * rowHeight - element.clientHeight - element.scrollTop
    atEdge.current = distance < NEAR
    setHeld(atEdge.current)
    const first = Math.floor(element.scrollTop / rowHeight)
    const call = rows[first]
    anchor.current = call === undefined ? null : { call, into: element.scrollTop - first * rowHeight }
    countFresh()
  }, [scroller, rows, edge, newest, newestAway, rowHeight, headHeight, countFresh])

  const toEdge = useCallback(() => {
    const element = scroller.current
    if (element === null) return
    if (edge !== null) element.scrollTop = edge === 'top' ? 0 : element.scrollHeight
    else element.scrollTop += newestAway()
  }, [scroller, edge, newestAway])

  useLayoutEffect(() => {
    const element = scroller.current
    if (element === null) return
    if (follows && atEdge.current && !paused) {
      toEdge()
    } else if (anchor.current !== null) {
      const { call, into } = anchor.current
      const index = edge === null ? rows.indexOf(call) : placeOf(rows, call, edge === 'top')
      const top = index * rowHeight + into
      if (rows[index] === call && element.scrollTop !== top) element.scrollTop = top
    }
    countFresh()
  }, [scroller, rows, revision, edge, follows, paused, rowHeight, toEdge, countFresh])

  // A table that was made smaller or larger stays at its edge.
  useEffect(() => {
    const element = scroller.current
    if (element === null || !follows) return
    const observer = new ResizeObserver(() => {
      if (atEdge.current && !paused) toEdge()
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [scroller, follows, paused, toEdge])

  // Another order begins at its own edge, or at the newest.
  const begin = useEffectEvent(() => {
    atEdge.current = follows
    setHeld(atEdge.current)
    anchor.current = null
    if (follows) toEdge()
    else if (scroller.current !== null) scroller.current.scrollTop = 0
  })
  useEffect(() => begin(), [edge, follows])

  return { fresh, held: held && !paused && newest === null ? edge : null, onScroll, toEdge }
}
