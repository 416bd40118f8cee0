import { Download, Eraser, MoreHorizontal, RotateCcw } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { useState } from 'react'
import { narrowed, withoutKey } from '../../shared/capture/filter-writing'
import { useActions } from '../actions/use-actions'
import controls from '../controls/controls.module.css'
import menu from '../controls/menu.module.css'
import { useCalls, useDesk, useSource } from '../stores/desk-context'
import { useScopes, type ScopeChoice } from './chosen-calls'
import { ExportDialog } from './export-dialog'

/** What can be done with the calls that are looked at: hide those so far, export them, or send them again. */
export function CallsMenu({ name }: { name: string }) {
  const { replays } = useDesk()
  const { id, calls } = useSource()
  const none = useCalls((state) => state.total === 0)
  const scopes = useScopes()
  const [exporting, setExporting] = useState(false)
  const replay = ({ calls: numbers, filter }: ScopeChoice) => {
    const chosen = numbers()
    void replays.plan({
      ...(id === null ? {} : { capture: id }),
      ...(chosen === null ? {} : { calls: chosen }),
      ...(filter === undefined ? {} : { filter }),
    })
  }
  // Only the table: the capture has them, and so has the table when the filter is cleared.
  const clear = () => {
    const [newest] = calls.newest()
    if (newest === undefined) return
    calls.setFilter(narrowed(withoutKey(calls.store.getState().filterText, 'call'), `call:>${newest.call}`))
  }
  const live = id === null
  const [first] = scopes
  useActions({
    ...(!none && live && { 'calls.clear': clear }),
    ...(!none &&
      first !== undefined && { 'calls.export': () => setExporting(true), 'calls.replay': () => replay(first) }),
  })
  return (
    <>
      <DropdownMenu.Root modal={false}>
        <DropdownMenu.Trigger
          className={controls.icon}
          aria-label={live ? 'calls: hide, export, replay' : 'calls: export, replay'}
          title={live ? 'Hide, export, replay' : 'Export, replay'}
          data-testid="calls-menu"
          disabled={none}
        >
          <MoreHorizontal size={15} aria-hidden />
        </DropdownMenu.Trigger>
        <DropdownMenu.Portal>
          <DropdownMenu.Content className={menu.menu} align="end" sideOffset={4}>
            {live && (
              <>
                <DropdownMenu.Item className={menu.item} onSelect={clear}>
                  <Eraser size={13} aria-hidden /> Hide the calls so far
                </DropdownMenu.Item>
                <DropdownMenu.Separator className={menu.separator} />
              </>
            )}
            <DropdownMenu.Item className={menu.item} onSelect={() => setExporting(true)}>
              <Download size={13} aria-hidden /> Export…
            </DropdownMenu.Item>
            <DropdownMenu.Separator className={menu.separator} />
            {scopes.map((scope) => (
              <DropdownMenu.Item key={scope.scope} className={menu.item} onSelect={() => replay(scope)}>
                <RotateCcw size={13} aria-hidden /> Replay {scope.label}…
              </DropdownMenu.Item>
            ))}
          </DropdownMenu.Content>
        </DropdownMenu.Portal>
      </DropdownMenu.Root>
      {exporting && <ExportDialog name={name} scopes={scopes} onClose={() => setExporting(false)} />}
    </>
  )
}
