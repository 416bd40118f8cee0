import { MessageSquareText, PenLine } from 'lucide-react'
import { useEffect, useRef, useState, type KeyboardEvent } from 'react'
import { MAX_COMMENT_LENGTH } from '../../shared/capture/annotation'
import controls from '../controls/controls.module.css'
import { Failure } from '../controls/failure'
import { Visible } from '../text/visible'
import styles from './annotations.module.css'
import type { Annotate } from './use-annotate'

interface CommentBarProps {
  annotate: Annotate
  editing: boolean
  onEdit: (editing: boolean) => void
}

/** The comment on the call that is open, and where it is written; nothing while there is none. */
export function CommentBar({ annotate, editing, onEdit }: CommentBarProps) {
  const { annotation, change, error, clearError } = annotate
  const { comment } = annotation
  return (
    <>
      {error !== null && <Failure what="This could not be put on the call." error={error} onDismiss={clearError} />}
      {editing ? (
        <CommentEditor
          comment={comment ?? ''}
          onLeave={() => onEdit(false)}
          onSave={(text) => {
            if (text !== (comment ?? '')) change({ comment: text === '' ? null : text })
            onEdit(false)
          }}
        />
      ) : (
        comment !== null && (
          <div className={styles.bar} data-testid="comment">
            <MessageSquareText size={13} aria-hidden className={styles.sign} />
            <p className={styles.text}>
              <Visible text={comment} block />
            </p>
            <button
              type="button"
              className={controls.icon}
              aria-label="edit the comment"
              title="Edit the comment (c)"
              onClick={() => onEdit(true)}
            >
              <PenLine size={12} aria-hidden />
            </button>
          </div>
        )
      )}
    </>
  )
}

interface CommentEditorProps {
  comment: string
  onSave: (text: string) => void
  onLeave: () => void
}

function CommentEditor({ comment, onSave, onLeave }: CommentEditorProps) {
  const [text, setText] = useState(comment)
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => field.current?.focus(), [])
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') onLeave()
    else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) onSave(text.trim())
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  const left = MAX_COMMENT_LENGTH - text.length
  return (
    <div className={styles.bar} data-gives-back>
      <MessageSquareText size={13} aria-hidden className={styles.sign} />
      <textarea
        ref={field}
        className={styles.editor}
        aria-label="comment on this call"
        placeholder="What is to be seen here. It is kept with the capture."
        rows={2}
        maxLength={MAX_COMMENT_LENGTH}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <div className={styles.choices}>
        {left <= 100 && <span className={styles.room}>{left} left</span>}
        <button type="button" className={controls.button} title="Leave it as it was (Esc)" onClick={onLeave}>
          Cancel
        </button>
        <button type="button" className={controls.primary} title="Ctrl Enter" onClick={() => onSave(text.trim())}>
          Keep
        </button>
      </div>
    </div>
  )
}
