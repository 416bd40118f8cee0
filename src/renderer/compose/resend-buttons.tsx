import { PenLine, RotateCw } from 'lucide-react'
import type { CallSummary } from '../../shared/capture/summary'
import controls from '../controls/controls.module.css'
import { useKeys } from '../controls/use-keys'
import { useDesk, useSource } from '../stores/desk-context'
import { canResend } from './draft-of-call'

/** Sends a call of the table again, as it is or edited first. Both end in compose, where its answer is. */
export function ResendButtons({ summary }: { summary: CallSummary }) {
  const { compose, selection, captures } = useDesk()
  const { connection } = useSource()
  const possible = canResend(summary.method, summary.httpMethod)
  const leave = () => {
    captures.show(null)
    selection.setState({ view: 'compose', backend: null })
  }
  const resend = () => {
    if (!possible) return
    leave()
    void compose.resendCall(summary.call, connection)
  }
  useKeys({ r: resend })
  if (!possible) return null
  return (
    <>
      <button type="button" className={controls.icon} aria-label="send again" title="Send again (r)" onClick={resend}>
        <RotateCw size={13} aria-hidden />
      </button>
      <button
        type="button"
        className={controls.icon}
        aria-label="edit and send again"
        title="Edit and send again"
        onClick={() => {
          leave()
          void compose.openCall(summary.call, connection)
        }}
      >
        <PenLine size={13} aria-hidden />
      </button>
    </>
  )
}
