import { TriangleAlert } from 'lucide-react'
import type { CommandError } from '../../shared/api/contract'
import { Visible } from '../text/visible'
import controls from './controls.module.css'

interface FailureProps {
  /** What did not work, for instance "The calls could not be loaded." */
  what: string
  error: CommandError
  onRetry?: () => void
  /** Words of its button. */
  retry?: string
  onDismiss?: () => void
}

/** Says what failed, why, and what to do. */
export function Failure({ what, error, onRetry, retry = 'Try again', onDismiss }: FailureProps) {
  return (
    <div className={controls.notice} role="alert">
      <TriangleAlert size={14} color="var(--error)" aria-hidden />
      <span>
        {what} <Visible text={error.message} />
      </span>
      {error.hint !== undefined && (
        <span className={controls.noticeHint}>
          <Visible text={error.hint} />
        </span>
      )}
      {onRetry !== undefined && (
        <button type="button" className={controls.button} onClick={onRetry}>
          {retry}
        </button>
      )}
      {onDismiss !== undefined && (
        <button type="button" className={controls.dismiss} aria-label="dismiss" onClick={onDismiss}>
          ✕
        </button>
      )}
    </div>
  )
}
