import { useCallback, useEffect, useLayoutEffect, useState, type RefObject } from 'react'

export interface RowsInSight {
  /** Index of the first row to draw. */
  first: number
  /** Index after the last row to draw. */
  end: number
}

export interface RowsInSightOptions {
  scroller: RefObject<HTMLElement | null>
  count: number
  /** Of every row, in pixels. */
  rowHeight: number
  /** Counts the changes after which the scroller may have been moved. */
  revision: number
  /** What stands above the first row, in pixels. */
  headHeight: number
  /** The end at which the scroller is kept; null where the reader has put it elsewhere. */
  held: 'end' | 'top' | null
}

/** Rows drawn beyond what is in sight, at both ends. */
const BEYOND = 10
/** A table that is kept at its edge is not being scrolled, and draws all its rows at each keystroke of a filter. */
const BEYOND_HELD = 4

/** The rows of a list of equally high rows that are in sight at `scrollTop`, and some around them. */
export function rowsInSight(
  scrollTop: number,
  height: number,
  rowHeight: number,
  count: number,
  beyond = BEYOND,
): RowsInSight {
  const first = Math.min(count, Math.max(0, Math.floor(scrollTop / rowHeight) - beyond))
  const end = Math.min(count, Math.ceil((scrollTop + height) / rowHeight) + beyond)
  return { first, end: Math.max(first, end) }
}

/** Where a scroller of `height` that is at `top` is going to be when it has `content` pixels to show. */
export function scrollTopThen(top: number, height: number, content: number, held: RowsInSightOptions['held']): number {
  const last = Math.max(0, content - height)
  return held === 'top' ? 0 : held === 'end' ? last : Math.min(top, last)
}

/**
 * Which rows to draw. Rows are equally high, so it costs the same whatever their number. Call it after what moves the
 * scroller in a layout effect: the rows at the new place are drawn before the next paint, however busy the page is,
 * where a `scroll` event would come later than the next rows.
 */
export function useRowsInSight(options: RowsInSightOptions) {
  const { scroller, count, rowHeight, revision, headHeight, held } = options
  const [at, setAt] = useState({ top: 0, height: 0, within: false })
  const measure = useCallback(() => {
    const element = scroller.current
    if (element === null) return
    // By whole rows: a scroll within one draws nothing but at its beginning.
    const top = Math.floor(element.scrollTop / rowHeight) * rowHeight
    const height = element.clientHeight + rowHeight
    const within = element.scrollTop > top
    setAt((before) => {
      // Where it is held it was known before it got there, and was drawn so.
      const isThere = held !== null || (before.top === top && before.within === within)
      return isThere && before.height === height ? before : { top, height, within }
    })
  }, [scroller, rowHeight, held])

  useLayoutEffect(measure, [measure, count, revision])
  useEffect(() => {
    const element = scroller.current
    if (element === null) return
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [scroller, measure])

  // Rows that are drawn where the scroller is no more would be laid out in vain, which costs more than all the rest.
  const clientHeight = Math.max(0, at.height - rowHeight)
  const top = scrollTopThen(at.top, clientHeight, headHeight + count * rowHeight, held)
  return {
    ...rowsInSight(top, at.height, rowHeight, count, held === null ? BEYOND : BEYOND_HELD),
    /** Index of the uppermost row in sight, and whether its beginning is not. */
    top: Math.floor(top / rowHeight),
    within: held === null ? at.within : top % rowHeight > 0,
    onScroll: measure,
  }
}
