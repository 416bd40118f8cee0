import { PenLine, RotateCw } from 'lucide-react'
import type { CallSummary } from '../../shared/capture/summary'
import { useActions } from '../actions/use-actions'
import controls from '../controls/controls.module.css'
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
    leave()
    void compose.resendCall(summary.call, connection)
  }
  const edit = () => {
    leave()
    void compose.openCall(summary.call, connection)
  }
  useActions(possible ? { 'call.resend': resend, 'call.edit': edit } : {})
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
        onClick={edit}
      >
        <PenLine size={13} aria-hidden />
      </button>
    </>
  )
}
