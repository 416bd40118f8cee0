import type { HeaderList } from '../../shared/capture/events'
import { decodeHeaderValue } from '../../shared/protocol/header-value'
import { Visible } from '../text/visible'
import type { AddedField } from './added-fields'
import styles from './header-table.module.css'

interface HeaderTableProps {
  headers: HeaderList
  /** Fields that are on the wire too, and not in the capture. */
  added?: readonly AddedField[]
}

/** Header fields in wire order. MCP's own are lit; values that travel as base64 are decoded beside. */
export function HeaderTable({ headers, added = [] }: HeaderTableProps) {
  if (headers.length === 0 && added.length === 0) return <p className={styles.none}>No header fields.</p>
  return (
    <table className={styles.table}>
      <tbody>
        {headers.map(([name, value], index) => (
          <tr key={index} data-mcp={isMcp(name) || undefined}>
            <th scope="row">
              <Visible text={name} />
            </th>
            <td>
              <Visible text={value} />
              <Decoded value={value} />
            </td>
          </tr>
        ))}
        {added.map(([name, value]) => (
          <tr key={name} className={styles.added}>
            <th scope="row">{name}</th>
            <td>
              {value} <span className={styles.by}>added by the connection</span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** `Mcp-Method`, `Mcp-Name`, `Mcp-Param-*` and `MCP-Protocol-Version` (transports/streamable-http). */
function isMcp(name: string): boolean {
  return name.toLowerCase().startsWith('mcp-')
}

function Decoded({ value }: { value: string }) {
  if (!value.trim().startsWith('=?base64?')) return null
  const decoded = decodeHeaderValue(value)
  if (decoded === value.trim()) return null
  return decoded === undefined ? (
    <span className={styles.broken}>no valid base64 of UTF-8</span>
  ) : (
    <span className={styles.decoded}>
      = <Visible text={decoded} />
    </span>
  )
}
