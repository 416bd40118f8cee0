import { useEffect, useRef, useState } from 'react'
import { useCaptures, useDesk, useSelection, useSource } from '../stores/desk-context'
import { History, type Place } from '../stores/history'
import { VIEWS } from '../stores/selection-store'

/** Back and forward through what was looked at; undefined where there is nothing. */
export function usePlaces(): { back: (() => void) | undefined; forward: (() => void) | undefined } {
  const desk = useDesk()
  const { id: source } = useSource()
  const { view, backend, call } = useSelection((selection) => selection)
  const captures = useCaptures((state) => state.captures)
  const history = useRef<History | null>(null)
  const [ways, setWays] = useState({ back: false, forward: false })
  useEffect(() => {
    const place = { source, view, backend, call }
    if (history.current === null) history.current = new History(place)
    else history.current.visit(place)
    const open = stillOpen(captures)
    setWays({ back: history.current.has(-1, open), forward: history.current.has(1, open) })
  }, [source, view, backend, call, captures])

  const still = stillOpen(captures)
  const go = (place: Place | undefined) => {
    if (place === undefined) return
    const { selection } = (place.source === null ? null : desk.captures.source(place.source)) ?? desk
    const looked = VIEWS.find((each) => each === place.view) ?? 'calls'
    selection.setState({ view: looked, backend: place.backend, call: place.call, seq: null })
    desk.captures.show(place.source)
  }
  return {
    back: ways.back ? () => go(history.current?.back(still)) : undefined,
    forward: ways.forward ? () => go(history.current?.forward(still)) : undefined,
  }
}

/** Of the live run, or of a capture that is still open. */
function stillOpen(captures: readonly { id: string }[]): (place: Place) => boolean {
  return (place) => place.source === null || captures.some(({ id }) => id === place.source)
}
