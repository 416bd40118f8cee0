import { useMemo } from 'react'
import { DynamicRows } from '../controls/dynamic-rows'
import { Visible } from '../text/visible'
import { textRows } from './text-rows'
import styles from './plain-text.module.css'

/** A text as it is, wrapped, only the part in sight drawn. */
export function PlainText({ text, label }: { text: string; label: string }) {
  const rows = useMemo(() => textRows(text), [text])
  return (
    <DynamicRows
      className={styles.text}
      count={rows.length}
      rowHeight={18}
      rowKey={(index) => index}
      role="region"
      aria-label={label}
      tabIndex={0}
      renderRow={(index) => {
        const row = rows[index]
        return (
          <div className={styles.row}>
            {row === undefined || row.from === row.to ? ' ' : <Visible text={text.slice(row.from, row.to)} block />}
          </div>
        )
      }}
    />
  )
}
