import { Columns3Cog } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import menu from '../controls/menu.module.css'
import controls from '../controls/controls.module.css'
import { COLUMNS, type ColumnId } from './columns'

interface ColumnMenuProps {
  hidden: readonly ColumnId[]
  /** Left out of the table for want of room. */
  withdrawn: readonly ColumnId[]
  pinInFlight: boolean
  onToggleColumn: (column: ColumnId) => void
  onPinInFlight: (pin: boolean) => void
  onReset: () => void
}

/** Which columns are in sight, and whether calls in flight stay on top. */
export function ColumnMenu({
  hidden,
  withdrawn,
  pinInFlight,
  onToggleColumn,
  onPinInFlight,
  onReset,
}: ColumnMenuProps) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger className={controls.icon} aria-label="columns and pinning" title="Columns and pinning">
        <Columns3Cog size={14} aria-hidden />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className={menu.menu} align="end" sideOffset={4}>
          <CheckItem checked={pinInFlight} onChange={onPinInFlight}>
            Pin calls in flight on top
          </CheckItem>
          <DropdownMenu.Separator className={menu.separator} />
          <DropdownMenu.Label className={menu.label}>Columns</DropdownMenu.Label>
          {COLUMNS.filter((column) => !column.always).map((column) => (
            <CheckItem key={column.id} checked={!hidden.includes(column.id)} onChange={() => onToggleColumn(column.id)}>
              {withdrawn.includes(column.id) ? `${column.title} (no room now)` : column.title}
            </CheckItem>
          ))}
          <DropdownMenu.Separator className={menu.separator} />
          <DropdownMenu.Item className={menu.item} onSelect={onReset}>
            Reset columns and widths
          </DropdownMenu.Item>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}

function CheckItem(props: { checked: boolean; onChange: (checked: boolean) => void; children: string }) {
  return (
    <DropdownMenu.CheckboxItem
      className={menu.item}
      checked={props.checked}
      onCheckedChange={props.onChange}
      onSelect={(event) => event.preventDefault()}
    >
      <span className={menu.tick}>
        <DropdownMenu.ItemIndicator>✓</DropdownMenu.ItemIndicator>
      </span>
      {props.children}
    </DropdownMenu.CheckboxItem>
  )
}
