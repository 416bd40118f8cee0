import { Columns2 } from 'lucide-react'
import { useActions } from '../actions/use-actions'
import controls from '../controls/controls.module.css'
import { useComparison, useDesk, useSource } from '../stores/desk-context'
import { isSamePlace } from './comparison'

/** Chooses this call for a comparison, or shows it beside the one that was chosen before. */
export function CompareButton({ call }: { call: number }) {
  const { comparison } = useDesk()
  const { id } = useSource()
  const chosen = useComparison((state) => state.chosen)
  const place = { capture: id, call }
  const own = chosen !== null && isSamePlace(chosen, place)
  const choose = () => comparison.choose(place)
  useActions({ 'call.compare': choose })
  const title = own
    ? 'Chosen for comparison: open another call and press this there. Press again to let it go'
    : chosen === null
      ? 'Compare with another call: choose this one'
      : `Show side by side with call #${chosen.call}`
  return (
    <button
      type="button"
      className={controls.icon}
      aria-label={own ? 'chosen for comparison' : chosen === null ? 'compare' : `compare with call ${chosen.call}`}
      aria-pressed={own}
      title={title}
      data-testid="compare-call"
      onClick={choose}
    >
      <Columns2 size={14} aria-hidden />
    </button>
  )
}
