import { PenLine, RotateCw } from 'lucide-react'
import { useActions } from '../actions/use-actions'
import controls from '../controls/controls.module.css'
import { useCallPart, useDesk, useSource } from '../stores/desk-context'
import { canResend } from './draft-of-call'

/** Sends a call of the table again, as it is or edited first. Both end in compose, where its answer is. */
export function ResendButtons({ call }: { call: number }) {
  const { compose, selection, captures } = useDesk()
  const { connection } = useSource()
  const possible = useCallPart(call, (known) => known !== undefined && canResend(known.method, known.httpMethod))
  const leave = () => {
    captures.show(null)
    selection.setState({ view: 'compose', backend: null })
  }
  const resend = () => {
    leave()
    void compose.resendCall(call, connection)
  }
  const edit = () => {
    leave()
    void compose.openCall(call, connection)
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
