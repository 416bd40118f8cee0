import { ListFilter, MoreHorizontal, Pencil, Power, Trash2 } from 'lucide-react'
import { ContextMenu, DropdownMenu } from 'radix-ui'
import type { ReactNode } from 'react'
import { filterTerm } from '../../shared/capture/filter-writing'
import controls from '../controls/controls.module.css'
import menu from '../controls/menu.module.css'
import { useDesk } from '../stores/desk-context'
import { visibleString } from '../text/visible-text'
import { useChangeBackends } from './use-change-backends'

interface BackendMenuProps {
  name: string
  off: boolean
}

/** Less common things to do with a backend, behind a button. */
export function BackendMenuButton({ name, off }: BackendMenuProps) {
  const { turn, remove } = useChangeBackends()
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger
        className={controls.icon}
        aria-label={`more of ${visibleString(name)}`}
        title="Turn off, remove"
        data-testid="backend-menu"
      >
        <MoreHorizontal size={15} aria-hidden />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className={menu.menu} align="end" sideOffset={4}>
          <DropdownMenu.Item className={menu.item} onSelect={() => turn(name, off)}>
            <Power size={13} aria-hidden /> {off ? 'Turn on' : 'Turn off'}
          </DropdownMenu.Item>
          <DropdownMenu.Separator className={menu.separator} />
          <DropdownMenu.Item className={menu.item} onSelect={() => remove(name)}>
            <Trash2 size={13} aria-hidden /> Remove…
          </DropdownMenu.Item>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}

interface BackendContextProps extends BackendMenuProps {
  /** It stands in no file: it can only be looked at. */
  fixed?: boolean
  children: ReactNode
}

/** The same where the backend is listed, by the menu key or the other button of the mouse. */
export function BackendContextMenu({ name, off, fixed = false, children }: BackendContextProps) {
  const { edit, turn, remove } = useChangeBackends()
  const desk = useDesk()
  const showCalls = () => {
    desk.captures.show(null)
    desk.calls.setFilter(filterTerm('backend', name))
    desk.selection.setState({ view: 'calls', backend: null })
  }
  return (
    <ContextMenu.Root modal={false}>
      <ContextMenu.Trigger asChild>{children}</ContextMenu.Trigger>
      <ContextMenu.Portal>
        <ContextMenu.Content className={menu.menu}>
          <ContextMenu.Item className={menu.item} onSelect={showCalls}>
            <ListFilter size={13} aria-hidden /> Show its calls
          </ContextMenu.Item>
          {!fixed && (
            <>
              <ContextMenu.Separator className={menu.separator} />
              <ContextMenu.Item className={menu.item} onSelect={() => edit(name)}>
                <Pencil size={13} aria-hidden /> Edit…
              </ContextMenu.Item>
              <ContextMenu.Item className={menu.item} onSelect={() => turn(name, off)}>
                <Power size={13} aria-hidden /> {off ? 'Turn on' : 'Turn off'}
              </ContextMenu.Item>
              <ContextMenu.Separator className={menu.separator} />
              <ContextMenu.Item className={menu.item} onSelect={() => remove(name)}>
                <Trash2 size={13} aria-hidden /> Remove…
              </ContextMenu.Item>
            </>
          )}
        </ContextMenu.Content>
      </ContextMenu.Portal>
    </ContextMenu.Root>
  )
}
