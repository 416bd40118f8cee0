import { ContextMenu } from 'radix-ui'
import { useRef, useState, type MouseEvent, type ReactNode } from 'react'
import { useStore } from 'zustand'
import { narrowed } from '../../shared/capture/filter-writing'
import { ACTIONS, type ActionId } from '../actions/catalog'
import { isMac, keyOf, shownChord } from '../actions/keymap'
import { useActionsStore } from '../actions/use-actions'
import menu from '../controls/menu.module.css'
import { useCall, usePreferences, useSource } from '../stores/desk-context'
import { selectCall } from '../stores/selection-store'
import { Visible } from '../text/visible'
import { visibleString } from '../text/visible-text'
import { methodWords } from './method-words'
import { commonOf, type Common } from './narrowing'

/** What can be done with a call, in the parts of the menu. */
const PARTS: readonly (readonly ActionId[])[] = [
  ['call.resend', 'call.edit', 'call.compare'],
  ['call.copyCurl', 'call.copySdk'],
  ['call.mark', 'call.comment', 'call.pin'],
]

interface CallMenuProps {
  /** The call at which the keyboard is: the menu key opens its menu. */
  at: number | null
  /** One element, with the table in it. */
  children: ReactNode
}

/** The menu of a call, opened on its row with the other button or the menu key. The call is opened with it. */
export function CallMenu({ at, children }: CallMenuProps) {
  const { selection } = useSource()
  const [call, setCall] = useState<number | null>(null)
  const grid = useRef<HTMLElement | null>(null)
  const chosen = useRef<(() => void) | null>(null)
  const open = (event: MouseEvent) => {
    const target = event.target instanceof Element ? event.target : null
    const row = target?.closest<HTMLElement>('[data-call]') ?? null
    if (row === null) {
      // Where no call is, the menu is that of the browser, but for the menu key, which speaks of the call in hand.
      if (at === null || at < 0 || event.button === 2 || !isGrid(target)) return event.stopPropagation()
      const own = event.currentTarget.querySelector(`[data-call="${at}"]`)
      if (own !== null) {
        event.stopPropagation()
        event.preventDefault()
        const { left, bottom } = own.getBoundingClientRect()
        const place = { clientX: left + 24, clientY: bottom - 4, bubbles: true, cancelable: true }
        own.dispatchEvent(new window.MouseEvent('contextmenu', place))
        return
      }
    }
    const number = row === null ? at : Number(row.dataset.call)
    if (number === null) return
    grid.current = target?.closest<HTMLElement>('[role=grid], [role=treegrid]') ?? null
    setCall(number)
    selectCall(selection, number)
  }
  return (
    <ContextMenu.Root modal={false}>
      <ContextMenu.Trigger asChild onContextMenuCapture={open}>
        {children}
      </ContextMenu.Trigger>
      <ContextMenu.Portal>
        <ContextMenu.Content
          className={menu.menu}
          data-testid="call-menu"
          collisionPadding={8}
          onCloseAutoFocus={(event) => {
            // First the table has the keyboard again, so that what was chosen may take it elsewhere.
            event.preventDefault()
            grid.current?.focus({ preventScroll: true })
            chosen.current?.()
            chosen.current = null
          }}
        >
          {call !== null && <Items call={call} onChoose={(doIt) => (chosen.current = doIt)} />}
        </ContextMenu.Content>
      </ContextMenu.Portal>
    </ContextMenu.Root>
  )
}

function isGrid(target: Element | null): boolean {
  return target?.matches('[role=grid], [role=treegrid]') === true
}

function Items({ call, onChoose }: { call: number; onChoose: (doIt: () => void) => void }) {
  const { calls } = useSource()
  const summary = useCall(call)
  const actions = useActionsStore()
  // Some can be done only when the call has been read.
  useStore(actions.changes)
  const keys = usePreferences((preferences) => preferences.keys)
  if (summary === undefined) return null
  const common = commonOf(summary)
  const narrow = (term: string) => onChoose(() => calls.setFilter(narrowed(calls.store.getState().filterText, term)))
  return (
    <>
      <ContextMenu.Label className={menu.label}>
        #{call} <Visible text={[methodWords(summary), summary.target].filter((word) => word !== null).join(' ')} />
      </ContextMenu.Label>
      {PARTS.map((ids) => (
        <ContextMenu.Group key={ids[0]} className={menu.part}>
          {ids.map((id) => {
            const key = keyOf(id, keys)
            return actions.find(id) === undefined ? null : (
              <ContextMenu.Item key={id} className={menu.item} onSelect={() => onChoose(() => actions.find(id)?.())}>
                {ACTIONS[id].title}
                {key !== null && <kbd className={menu.key}>{shownChord(key, isMac(navigator.platform))}</kbd>}
              </ContextMenu.Item>
            )
          })}
        </ContextMenu.Group>
      ))}
      <Narrowing title="Show only" common={common} onChoose={narrow} />
      <Narrowing title="Hide" common={common} onChoose={(term) => narrow(`-${term}`)} />
    </>
  )
}

interface NarrowingProps {
  title: string
  common: readonly Common[]
  onChoose: (term: string) => void
}

function Narrowing({ title, common, onChoose }: NarrowingProps) {
  return (
    <ContextMenu.Sub>
      <ContextMenu.SubTrigger className={menu.item}>
        {title} <span className={menu.key}>›</span>
      </ContextMenu.SubTrigger>
      <ContextMenu.Portal>
        <ContextMenu.SubContent className={menu.menu} collisionPadding={8}>
          {common.map(({ what, name, term }) => (
            <ContextMenu.Item
              key={what}
              className={menu.item}
              title={visibleString(name)}
              onSelect={() => onChoose(term)}
            >
              <span className={menu.kind}>{what}</span>
              <span className={menu.name}>
                <Visible text={name} />
              </span>
            </ContextMenu.Item>
          ))}
        </ContextMenu.SubContent>
      </ContextMenu.Portal>
    </ContextMenu.Sub>
  )
}
