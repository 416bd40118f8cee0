import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react'
import controls from '../controls/controls.module.css'
import { placeBeside, type Size } from './place-beside'
import type { TourStep } from './tour-steps'
import { usePointedAt } from './use-pointed-at'
import styles from './tour.module.css'

interface TourCardProps {
  step: TourStep
  /** From 0. */
  number: number
  count: number
  onStep: (number: number) => void
  onEnd: () => void
}

/** One step: a card beside the part of the desk that it is about. Everything else can be used meanwhile. */
export function TourCard({ step, number, count, onStep, onEnd }: TourCardProps) {
  const card = useRef<HTMLDivElement>(null)
  const next = useRef<HTMLButtonElement>(null)
  const [size, setSize] = useState<Size>({ width: 0, height: 0 })
  const box = usePointedAt(step.places)
  const last = number === count - 1

  // The focus goes back to where it was, unless it was moved elsewhere meanwhile.
  useEffect(() => {
    const before = document.activeElement
    const element = card.current
    next.current?.focus()
    return () => {
      if (!(element?.contains(document.activeElement) ?? false) && document.activeElement !== document.body) return
      const back = before instanceof HTMLElement && before.isConnected && before !== document.body ? before : null
      const table = document.querySelector<HTMLElement>('[role=grid], [role=treegrid]')
      ;(back ?? table)?.focus()
    }
  }, [])
  useLayoutEffect(() => {
    const { width, height } = card.current?.getBoundingClientRect() ?? { width: 0, height: 0 }
    setSize((before) => (before.width === width && before.height === height ? before : { width, height }))
  }, [number])

  // From anywhere in the desk, but for what has an Esc of its own.
  const onEscape = useEffectEvent((event: globalThis.KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented) return
    const { target } = event
    if (target instanceof Element && target.closest('input, textarea, select, [role=menu], dialog, [data-typing]'))
      return
    event.preventDefault()
    event.stopPropagation()
    onEnd()
  })
  useEffect(() => {
    const listener = (event: globalThis.KeyboardEvent) => onEscape(event)
    window.addEventListener('keydown', listener, { capture: true })
    return () => window.removeEventListener('keydown', listener, { capture: true })
  }, [])

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return
    if (event.key === 'ArrowRight' && !last) onStep(number + 1)
    else if (event.key === 'ArrowLeft' && number > 0) onStep(number - 1)
    else return
    event.preventDefault()
  }
  const place =
    box === null
      ? { left: (window.innerWidth - size.width) / 2, top: (window.innerHeight - size.height) / 2 }
      : placeBeside(box, size, { width: window.innerWidth, height: window.innerHeight })
  return (
    <>
      {box !== null && <div className={styles.ring} style={box} data-testid="tour-ring" aria-hidden="true" />}
      <div
        ref={card}
        className={styles.card}
        style={place}
        role="dialog"
        aria-label="tour of the desk"
        aria-describedby="tour-step"
        data-testid="tour"
        onKeyDown={onKeyDown}
      >
        <div id="tour-step" aria-live="polite">
          <p className={styles.count}>
            {number + 1} of {count}
          </p>
          <h2 className={styles.title}>{step.title}</h2>
          <p className={styles.text}>{step.text}</p>
        </div>
        <div className={styles.buttons}>
          {!last && (
            <button type="button" className={`${controls.link ?? ''} ${styles.end ?? ''}`} onClick={onEnd}>
              End the tour
            </button>
          )}
          {number > 0 && (
            <button type="button" className={controls.button} onClick={() => onStep(number - 1)}>
              Back
            </button>
          )}
          <button
            ref={next}
            type="button"
            className={controls.primary}
            onClick={() => (last ? onEnd() : onStep(number + 1))}
          >
            {last ? 'Done' : 'Next'}
          </button>
        </div>
      </div>
    </>
  )
}
