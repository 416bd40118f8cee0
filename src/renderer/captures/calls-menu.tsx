import { Download, MoreHorizontal, RotateCcw } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { useState } from 'react'
import { useActions } from '../actions/use-actions'
import controls from '../controls/controls.module.css'
import menu from '../controls/menu.module.css'
import { useCalls, useDesk, useSource } from '../stores/desk-context'
import { useScopes, type ScopeChoice } from './chosen-calls'
import { ExportDialog } from './export-dialog'

/** What can be done with the calls that are looked at: export them, or send them again. */
export function CallsMenu({ name }: { name: string }) {
  const { replays } = useDesk()
  const { id } = useSource()
  const none = useCalls((state) => state.total === 0)
  const scopes = useScopes()
  const [exporting, setExporting] = useState(false)
  const replay = ({ calls, filter }: ScopeChoice) => {
    const chosen = calls()
    void replays.plan({
      ...(id === null ? {} : { capture: id }),
      ...(chosen === null ? {} : { calls: chosen }),
      ...(filter === undefined ? {} : { filter }),
    })
  }
  const [first] = scopes
  useActions(
    none || first === undefined
      ? {}
      : { 'calls.export': () => setExporting(true), 'calls.replay': () => replay(first) },
  )
  return (
    <>
      <DropdownMenu.Root modal={false}>
        <DropdownMenu.Trigger
          className={controls.icon}
          aria-label="calls: export, replay"
          title="Export, replay"
          data-testid="calls-menu"
          disabled={none}
        >
          <MoreHorizontal size={15} aria-hidden />
        </DropdownMenu.Trigger>
        <DropdownMenu.Portal>
          <DropdownMenu.Content className={menu.menu} align="end" sideOffset={4}>
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
