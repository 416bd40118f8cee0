import { Compass } from 'lucide-react'
import { useMemo, useState } from 'react'
import { isMac, keyOf, shownChord } from '../actions/keymap'
import { useActions } from '../actions/use-actions'
import controls from '../controls/controls.module.css'
import { useDesk, usePreferences, useStatus } from '../stores/desk-context'
import { TourCard } from './tour-card'
import { callFor, tourSteps } from './tour-steps'
import styles from './tour.module.css'

/** The tour: offered once, until it was taken or declined, and there on command. */
export function Tour() {
  const desk = useDesk()
  const { keys, tourOffered } = usePreferences((preferences) => preferences)
  const ready = useStatus((state) => state.status !== null)
  const [at, setAt] = useState<number | null>(null)
  const steps = useMemo(() => {
    const mac = isMac(navigator.platform)
    const shown = (action: 'palette.open' | 'keys.show', otherwise: string) => {
      const key = keyOf(action, keys)
      return key === null ? otherwise : shownChord(key, mac)
    }
    return tourSteps(shown('palette.open', 'The palette'), shown('keys.show', 'The header'))
  }, [keys])

  const goTo = (number: number) => {
    const step = steps[number]
    if (step === undefined) return
    if (step.opens !== undefined) {
      desk.comparison.close()
      desk.replays.show(null)
      desk.captures.show(null)
      const call = callFor(step, [...desk.calls.newest()])
      const open = call !== undefined && step.opens !== 'calls' && { call: call.call, tab: step.opens.tab, seq: null }
      desk.selection.setState({ view: 'calls', backend: null, ...open })
    }
    setAt(number)
  }
  const end = () => {
    setAt(null)
    desk.preferences.setState({ tourOffered: true })
  }
  useActions({ 'tour.start': () => goTo(0) })

  const step = at === null ? undefined : steps[at]
  if (step !== undefined && at !== null)
    return <TourCard step={step} number={at} count={steps.length} onStep={goTo} onEnd={end} />
  if (tourOffered || !ready) return null
  return (
    <section className={styles.offer} aria-label="tour" data-testid="tour-offer">
      <Compass size={14} aria-hidden className={styles.compass} />
      <p>New here? A tour shows the parts of the desk in {steps.length} steps. It is in the palette later, too.</p>
      <button type="button" className={controls.primary} onClick={() => goTo(0)}>
        Take the tour
      </button>
      <button type="button" className={controls.button} onClick={end}>
        No, thanks
      </button>
    </section>
  )
}
