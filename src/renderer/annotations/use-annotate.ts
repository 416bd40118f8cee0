import { NO_ANNOTATION, type Annotation } from '../../shared/capture/annotation'
import type { CommandError } from '../../shared/api/contract'
import { useCommand } from '../controls/use-command'
import { useSource } from '../stores/desk-context'

export interface Annotate {
  /** What is on the call now. */
  annotation: Annotation
  change: (change: Partial<Annotation>) => void
  error: CommandError | null
  clearError: () => void
}

/** Changes what is on a call. A row of the live run comes back by the feed; that of a capture is changed here. */
export function useAnnotate(call: number, annotation: Annotation | null): Annotate {
  const { playback } = useSource()
  const command = useCommand('call.annotate')
  const now = annotation ?? NO_ANNOTATION
  const change = async (part: Partial<Annotation>) => {
    const next = { ...now, ...part }
    const empty = next.mark === null && !next.pinned && next.comment === null
    const put = empty ? null : next
    const kept = await command.run({ call, annotation: put })
    if (kept !== undefined) playback?.annotate(call, put)
  }
  return { annotation: now, change: (part) => void change(part), error: command.error, clearError: command.clearError }
}
