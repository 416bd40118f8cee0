import type { ExchangeRecord } from '../../shared/capture/record'
import { visibleString } from '../text/visible-text'
import styles from './exchange-choice.module.css'

interface ExchangeChoiceProps {
  exchanges: readonly ExchangeRecord[]
  index: number
  onChange: (index: number) => void
}

/** Which backend's leg is shown, where several were asked. */
export function ExchangeChoice({ exchanges, index, onChange }: ExchangeChoiceProps) {
  if (exchanges.length < 2) return null
  return (
    <select
      className={styles.select}
      aria-label="backend leg"
      value={Math.min(index, exchanges.length - 1)}
      onChange={(event) => onChange(Number(event.target.value))}
    >
      {exchanges.map((exchange, position) => (
        <option key={exchange.exchange} value={position}>
          {position + 1} · {visibleString(exchange.backend ?? 'backend')}
        </option>
      ))}
    </select>
  )
}
