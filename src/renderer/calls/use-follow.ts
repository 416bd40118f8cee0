import { useCallback, useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react'
import { placeOf } from '../stores/ordered-numbers'
import type { Sort } from '../stores/preferences-store'
import type { TableGrouping } from './call-groups'

/** The end of the table where new calls appear; null when they may appear anywhere: rows are not in order of their numbers. */
export type Edge = 'end' | 'top' | null

export function edgeOf(sort: Sort, grouping: TableGrouping | null): Edge {
  if (grouping !== null || (sort.column !== 'call' && sort.column !== 'time')) return null
  return sort.descending ? 'top' : 'end'
}

export interface Follow {
  /** Rows that came since the list was last followed. */
  fresh: number
  onScroll: () => void
  toEdge: () => void
}

export interface FollowOptions {
  scroller: RefObject<HTMLElement | null>
  rows: readonly number[]
  revision: number
  edge: Edge
  rowHeight: number
  /** What stands above the first row. */
  headHeight: number
  paused: boolean
}

const NEAR = 8

/**
 * Keeps the table at the edge where new calls appear while the reader is there, and keeps still what is being read
 * otherwise: the first row in sight stays where it is whatever comes, goes or changes its place above it.
 */
export function useFollow({ scroller, rows, revision, edge, rowHeight, headHeight, paused }: FollowOptions): Follow {
  const atEdge = useRef(true)
  const anchor = useRef<{ call: number; into: number } | null>(null)
  const seen = useRef(0)
  const [fresh, setFresh] = useState(0)

  const countFresh = useCallback(() => {
    if (edge === null) {
      setFresh(0)
      return
    }
    const newest = (edge === 'end' ? rows.at(-1) : rows[0]) ?? 0
    if (atEdge.current && !paused) seen.current = Math.max(seen.current, newest)
    const after =
      edge === 'end' ? rows.length - placeOf(rows, seen.current + 1, false) : placeOf(rows, seen.current, true)
    setFresh(after)
  }, [rows, edge, paused])

  const onScroll = useCallback(() => {
    const element = scroller.current
    if (element === null) return
    const distance =
      edge === 'top'
        ? element.scrollTop
        : headHeight + rows.length * rowHeight - element.clientHeight - element.scrollTop
    atEdge.current = distance < NEAR
    const first = Math.floor(element.scrollTop / rowHeight)
    const call = rows[first]
    anchor.current = call === undefined ? null : { call, into: element.scrollTop - first * rowHeight }
    countFresh()
  }, [scroller, rows, edge, rowHeight, headHeight, countFresh])

  const toEdge = useCallback(() => {
    const element = scroller.current
    if (element !== null) element.scrollTop = edge === 'top' ? 0 : element.scrollHeight
  }, [scroller, edge])

  useLayoutEffect(() => {
    const element = scroller.current
    if (element === null) return
    if (edge !== null && atEdge.current && !paused) {
      toEdge()
    } else if (anchor.current !== null) {
      const { call, into } = anchor.current
      const index = edge === null ? rows.indexOf(call) : placeOf(rows, call, edge === 'top')
      const top = index * rowHeight + into
      if (rows[index] === call && element.scrollTop !== top) element.scrollTop = top
    }
    countFresh()
  }, [scroller, rows, revision, edge, paused, rowHeight, toEdge, countFresh])

  // A table that was made smaller or larger stays at its edge.
  useEffect(() => {
    const element = scroller.current
    if (element === null || edge === null) return
    const observer = new ResizeObserver(() => {
      if (atEdge.current && !paused) toEdge()
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [scroller, edge, paused, toEdge])

  // Another order begins at its own edge.
  useEffect(() => {
    atEdge.current = edge !== null
    anchor.current = null
    if (edge === null && scroller.current !== null) scroller.current.scrollTop = 0
    else toEdge()
  }, [scroller, edge, toEdge])

  return { fresh, onScroll, toEdge }
}
