import type { ExchangeRecord } from '../../shared/capture/record'
import { visibleString } from '../text/visible-text'
import styles from './exchange-choice.module.css'

interface ExchangeChoiceProps {
  exchanges: readonly ExchangeRecord[]
  index: number
  onChange: (index: number) => void
}

/** Said where the exchanges of a call are its rounds. */
function roundOf(exchanges: readonly ExchangeRecord[], { route }: ExchangeRecord): string {
  const several = new Set(exchanges.map((exchange) => exchange.route?.round)).size > 1
  return several && route !== null ? `, round ${route.round}` : ''
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
          {roundOf(exchanges, exchange)}
        </option>
      ))}
    </select>
  )
}
