import { Bookmark, MessageSquareText, Pin, PinOff } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { MARKS, type Mark } from '../../shared/capture/annotation'
import { useActions } from '../actions/use-actions'
import controls from '../controls/controls.module.css'
import menu from '../controls/menu.module.css'
import { useDesk, usePreferences } from '../stores/desk-context'
import { MarkShape, SHAPE_NAMES } from './mark-shape'
import type { Annotate } from './use-annotate'

/** Marks, pins and comments the call that is open. */
export function AnnotateButtons({ annotate, onComment }: { annotate: Annotate; onComment: () => void }) {
  const { annotation, change } = annotate
  const { preferences } = useDesk()
  const lastMark = usePreferences((state) => state.mark)
  const { mark, pinned, comment } = annotation
  const put = (next: Mark | null) => {
    change({ mark: next })
    if (next !== null) preferences.setState({ mark: next })
  }
  const pin = () => change({ pinned: !pinned })
  useActions({
    'call.mark': () => put(mark === null ? lastMark : null),
    'call.markRed': () => put('red'),
    'call.markOrange': () => put('orange'),
    'call.markGreen': () => put('green'),
    'call.markBlue': () => put('blue'),
    'call.markViolet': () => put('violet'),
    'call.comment': onComment,
    'call.pin': pin,
  })
  const PinSign = pinned ? PinOff : Pin
  const marked = mark === null ? 'mark' : `mark: ${mark} ${SHAPE_NAMES[mark]}`
  const commented = comment === null ? 'comment' : 'change the comment'
  return (
    <>
      <DropdownMenu.Root modal={false}>
        <DropdownMenu.Trigger
          className={controls.icon}
          aria-label={marked}
          title={mark === null ? 'Mark (m)' : `Marked ${mark} (m takes it off)`}
          data-testid="mark-call"
        >
          {mark === null ? <Bookmark size={13} aria-hidden /> : <MarkShape mark={mark} size={13} />}
        </DropdownMenu.Trigger>
        <DropdownMenu.Portal>
          <DropdownMenu.Content className={menu.menu} align="end" sideOffset={4}>
            {MARKS.map((each) => (
              <DropdownMenu.Item key={each} className={menu.item} onSelect={() => put(each)}>
                <MarkShape mark={each} /> {each} {SHAPE_NAMES[each]}
              </DropdownMenu.Item>
            ))}
            {mark !== null && (
              <>
                <DropdownMenu.Separator className={menu.separator} />
                <DropdownMenu.Item className={menu.item} onSelect={() => put(null)}>
                  No mark
                </DropdownMenu.Item>
              </>
            )}
          </DropdownMenu.Content>
        </DropdownMenu.Portal>
      </DropdownMenu.Root>
      <button
        type="button"
        className={controls.icon}
        aria-label={commented}
        title={comment === null ? 'Comment (c)' : 'Change the comment (c)'}
        onClick={onComment}
      >
        <MessageSquareText size={13} aria-hidden />
      </button>
      <button
        type="button"
        className={controls.icon}
        aria-label="pin above the table"
        aria-pressed={pinned}
        title={pinned ? 'Take it from above the table (P)' : 'Pin above the table (P)'}
        onClick={pin}
      >
        <PinSign size={13} aria-hidden />
      </button>
    </>
  )
}
