import { useEffect, useEffectEvent, useState, type KeyboardEvent, type PointerEvent, type RefObject } from 'react'
import { LEFT } from './lanes-layout'
import { pan, zoom, type Span } from './time-scale'

const WHEEL = 1.0015
const KEY_FACTOR = 0.7
const KEY_PAN = 0.1
/** Pixels from which on a pressed pointer drags. */
const DRAG = 3

export interface Zoom {
  span: Span
  zoomed: boolean
  handlers: {
    onKeyDown: (event: KeyboardEvent<HTMLElement>) => void
    onPointerDown: (event: PointerEvent<HTMLElement>) => void
    onPointerMove: (event: PointerEvent<HTMLElement>) => void
    onPointerUp: (event: PointerEvent<HTMLElement>) => void
    onDoubleClick: () => void
  }
}

/** Zoom by wheel, + and −; pan by dragging and arrow keys; 0 or a double click shows the whole again. */
export function useZoom(holder: RefObject<HTMLElement | null>, whole: Span, room: number): Zoom {
  const [view, setView] = useState<Span | null>(null)
  const [drag, setDrag] = useState<{ x: number; span: Span } | null>(null)
  const span = view ?? whole

  const set = (next: Span) => setView(next.to - next.from >= whole.to - whole.from ? null : next)
  const onWheel = useEffectEvent((event: WheelEvent) => {
    const box = holder.current?.getBoundingClientRect()
    if (box === undefined) return
    event.preventDefault()
    const across = event.shiftKey ? event.deltaY : event.deltaX
    if (Math.abs(across) > Math.abs(event.shiftKey ? 0 : event.deltaY)) {
      if (view !== null) set(pan(view, (across / room) * (view.to - view.from), whole))
      return
    }
    const share = Math.min(1, Math.max(0, (event.clientX - box.left - LEFT) / room))
    set(zoom(span, WHEEL ** event.deltaY, share, whole))
  })
  useEffect(() => {
    const element = holder.current
    if (element === null) return
    // React listens passively; the page must not scroll while the lanes zoom.
    const listener = (event: WheelEvent) => onWheel(event)
    element.addEventListener('wheel', listener, { passive: false })
    return () => element.removeEventListener('wheel', listener)
  }, [holder])

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === '+' || event.key === '=') set(zoom(span, KEY_FACTOR, 0.5, whole))
    else if (event.key === '-') set(zoom(span, 1 / KEY_FACTOR, 0.5, whole))
    else if (event.key === '0') setView(null)
    else if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') {
      const by = (span.to - span.from) * (event.key === 'ArrowLeft' ? -KEY_PAN : KEY_PAN)
      if (view !== null) set(pan(view, by, whole))
    } else return
    event.preventDefault()
    event.stopPropagation()
  }
  return {
    span,
    zoomed: view !== null,
    handlers: {
      onKeyDown,
      onPointerDown: (event) => {
        if (view !== null && event.button === 0) setDrag({ x: event.clientX, span: view })
      },
      onPointerMove: (event) => {
        if (drag === null) return
        // It was let go of where the lanes did not hear of it.
        if (event.buttons === 0) return setDrag(null)
        // Not before: a click on a mark would go to the lanes instead.
        if (!event.currentTarget.hasPointerCapture(event.pointerId)) {
          if (Math.abs(event.clientX - drag.x) < DRAG) return
          event.currentTarget.setPointerCapture(event.pointerId)
        }
        const by = ((drag.x - event.clientX) / room) * (drag.span.to - drag.span.from)
        set(pan(drag.span, by, whole))
      },
      onPointerUp: () => setDrag(null),
      onDoubleClick: () => setView(null),
    },
  }
}
