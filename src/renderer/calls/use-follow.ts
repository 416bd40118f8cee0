import { useCallback, useEffect, useEffectEvent, useLayoutEffect, useRef, useState, type RefObject } from 'react'
import { placeOf } from '../stores/ordered-numbers'
import type { Sort } from '../stores/preferences-store'
import type { TableGrouping } from './call-groups'
import { scrollAfterResize } from './scroll-after-resize'
import { rowIndexOf } from './step'

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
  /** The newest call is out of sight since a call was opened, and is not followed until it is in sight again. */
  setAside: boolean
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
  /** The row at which the reader is. */
  at: number | null
  /** Height of the head that stands above that row as long as any of its group's rows are in sight; 0 without groups. */
  groupHeadHeight: number
  paused: boolean
}

const NEAR = 8

/**
 * Keeps the table at the edge where new calls appear while the reader is there, or with groups the newest call in sight while
 * the one before it was, and keeps still what is being read otherwise: the first row in sight stays where it is whatever
 * comes, goes or changes its place above it.
 */
export function useFollow(options: FollowOptions): Follow {
  const { scroller, rows, revision, edge, newest, rowHeight, headHeight, at, groupHeadHeight, paused } = options
  const follows = edge !== null || newest !== null
  const atEdge = useRef(true)
  const anchor = useRef<{ call: number; into: number } | null>(null)
  const seen = useRef(0)
  const [fresh, setFresh] = useState(0)
  const [held, setHeld] = useState(true)
  const [setAside, putAside] = useState(false)
  const height = useRef<number | null>(null)
  const readAt = useRef(at)

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
    if (atEdge.current) putAside(false)
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

  /** What changed the table's height may come together with new rows: it is seen to before those. */
  const seeToHeight = useEffectEvent(() => {
    const element = scroller.current
    const before = height.current
    if (element === null || before === element.clientHeight) return
    height.current = element.clientHeight
    const opened = at !== null && readAt.current === null
    readAt.current = at
    if (before === null) return
    const index = at === null ? -1 : rowIndexOf(rows, at, edge)
    const followed = follows && atEdge.current && !paused
    const { scrollTop } = element
    const last = headHeight + rows.length * rowHeight - element.clientHeight
    const edgeTop = edge === 'top' ? 0 : edge === 'end' ? Math.max(0, last) : scrollTop + newestAway()
    element.scrollTop = scrollAfterResize({
      scrollTop,
      before: before - headHeight,
      now: element.clientHeight - headHeight,
      row: index < 0 ? null : { begin: index * rowHeight - groupHeadHeight, end: (index + 1) * rowHeight },
      opened,
      newest: followed ? edgeTop : null,
    })
    onScroll()
    if (followed && !atEdge.current) putAside(true)
  })

  useLayoutEffect(() => {
    seeToHeight()
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

  // A reader that goes elsewhere while the height stays has opened nothing.
  useEffect(() => {
    if (at === null) readAt.current = null
  }, [at])
  useEffect(() => {
    const element = scroller.current
    if (element === null) return
    const observer = new ResizeObserver(() => seeToHeight())
    observer.observe(element)
    return () => observer.disconnect()
  }, [scroller])

  // Another order begins at its own edge, or at the newest.
  const begin = useEffectEvent(() => {
    atEdge.current = follows
    setHeld(atEdge.current)
    putAside(false)
    anchor.current = null
    if (follows) toEdge()
    else if (scroller.current !== null) scroller.current.scrollTop = 0
  })
  useEffect(() => begin(), [edge, follows])

  return { fresh, held: held && !paused && newest === null ? edge : null, setAside, onScroll, toEdge }
}
