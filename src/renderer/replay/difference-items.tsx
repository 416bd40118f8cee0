import type { ExchangeComparison } from '../../shared/replay/compare-answers'
import { Visible } from '../text/visible'
import { placeWords, valueText } from './value-text'

interface DifferenceItemsProps {
  differences: ExchangeComparison['differences']
  /** Class of the words that say where. */
  pathClass: string | undefined
}

/** Items of a list: where two answers differ, what stood there and what stands there now. */
export function DifferenceItems({ differences, pathClass }: DifferenceItemsProps) {
  return differences.map(({ path, was, now }, index) => (
    <li key={index}>
      <span className={pathClass}>
        <Visible text={placeWords(path)} />
      </span>
      <del>
        <Visible text={valueText(was)} />
      </del>
      <ins>
        <Visible text={valueText(now)} />
      </ins>
    </li>
  ))
}
