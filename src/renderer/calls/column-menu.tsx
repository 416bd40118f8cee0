import { Columns3Cog } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import menu from '../controls/menu.module.css'
import controls from '../controls/controls.module.css'
import { isTableGrouping, TABLE_GROUPINGS, type TableGrouping } from './call-groups'
import { COLUMNS, type ColumnId } from './columns'

interface ColumnMenuProps {
  hidden: readonly ColumnId[]
  /** Left out of the table for want of room. */
  withdrawn: readonly ColumnId[]
  pinInFlight: boolean
  grouping: TableGrouping | null
  onGrouping: (grouping: TableGrouping | null) => void
  /** Shows the calls of all groups, or of none. */
  onExpandAll: (expanded: boolean) => void
  onToggleColumn: (column: ColumnId) => void
  onPinInFlight: (pin: boolean) => void
  onReset: () => void
}

/** Which columns are in sight, by what rows are put together, and whether calls in flight stay on top. */
export function ColumnMenu({
  hidden,
  withdrawn,
  pinInFlight,
  grouping,
  onGrouping,
  onExpandAll,
  onToggleColumn,
  onPinInFlight,
  onReset,
}: ColumnMenuProps) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger
        className={controls.icon}
        aria-label="columns, grouping, pinning"
        title="Columns, grouping, pinning"
      >
        <Columns3Cog size={14} aria-hidden />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className={menu.menu} align="end" sideOffset={4}>
          <CheckItem checked={pinInFlight} onChange={onPinInFlight}>
            Pin calls in flight on top
          </CheckItem>
          <DropdownMenu.Separator className={menu.separator} />
          <DropdownMenu.Label className={menu.label}>Group by</DropdownMenu.Label>
          <DropdownMenu.RadioGroup
            value={grouping ?? ''}
            onValueChange={(by) => onGrouping(isTableGrouping(by) ? by : null)}
          >
            <GroupItem value="">nothing</GroupItem>
            {TABLE_GROUPINGS.map((by) => (
              <GroupItem key={by} value={by}>
                {by}
              </GroupItem>
            ))}
          </DropdownMenu.RadioGroup>
          {grouping !== null && (
            <>
              <DropdownMenu.Item className={menu.item} onSelect={() => onExpandAll(false)}>
                <span className={menu.tick} />
                Collapse all groups
              </DropdownMenu.Item>
              <DropdownMenu.Item className={menu.item} onSelect={() => onExpandAll(true)}>
                <span className={menu.tick} />
                Expand all groups
              </DropdownMenu.Item>
            </>
          )}
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

function GroupItem({ value, children }: { value: string; children: string }) {
  return (
    <DropdownMenu.RadioItem className={menu.item} value={value} onSelect={(event) => event.preventDefault()}>
      <span className={menu.tick}>
        <DropdownMenu.ItemIndicator>✓</DropdownMenu.ItemIndicator>
      </span>
      {children}
    </DropdownMenu.RadioItem>
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
