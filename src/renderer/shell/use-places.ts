import { useEffect, useRef } from 'react'
import { useCaptures, useDesk, useSelection, useSource } from '../stores/desk-context'
import { History, type Place } from '../stores/history'
import { VIEWS } from '../stores/selection-store'

/** Back and forward through what was looked at. */
export function usePlaces(): { back: () => void; forward: () => void } {
  const desk = useDesk()
  const { id: source } = useSource()
  const { view, backend, call } = useSelection((selection) => selection)
  const captures = useCaptures((state) => state.captures)
  const history = useRef<History | null>(null)
  useEffect(() => {
    const place = { source, view, backend, call }
    if (history.current === null) history.current = new History(place)
    else history.current.visit(place)
  }, [source, view, backend, call])

  const still = (place: Place) => place.source === null || captures.some(({ id }) => id === place.source)
  const go = (place: Place | undefined) => {
    if (place === undefined) return
    const { selection } = (place.source === null ? null : desk.captures.source(place.source)) ?? desk
    const looked = VIEWS.find((each) => each === place.view) ?? 'calls'
    selection.setState({ view: looked, backend: place.backend, call: place.call, seq: null })
    desk.captures.show(place.source)
  }
  return {
    back: () => go(history.current?.back(still)),
    forward: () => go(history.current?.forward(still)),
  }
}
