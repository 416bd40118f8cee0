import { useState } from 'react'
import controls from '../controls/controls.module.css'
import { Visible } from '../text/visible'
import { visibleString } from '../text/visible-text'
import type { TextMark } from './json-editor'

interface MarksLineProps {
  /** Where what is wrong stands in `text`. */
  marks: readonly TextMark[]
  text: string
  onGo: (mark: TextMark) => void
}

/** What is wrong in a JSON text, by its line, and the way to it; pressed again, to the next. */
export function MarksLine({ marks, text, onGo }: MarksLineProps) {
  const [gone, setGone] = useState<TextMark | null>(null)
  const sorted = marks.toSorted((one, other) => one.from - other.from)
  // Marks are made anew with every change of the text: then the first is next.
  const at = gone === null ? -1 : sorted.indexOf(gone)
  const shown = sorted[Math.max(at, 0)]
  const next = sorted[(at + 1) % sorted.length]
  if (shown === undefined || next === undefined) return null
  const go = () => {
    setGone(next)
    onGo(next)
  }
  return (
    <>
      <span title={visibleString(shown.message)}>
        line {lineAt(text, shown.from)}: <Visible text={shown.message} />
      </span>{' '}
      {sorted.length > 1 && <span>· {sorted.length - 1} more </span>}
      <button type="button" className={controls.link} onClick={go}>
        {at >= 0 && sorted.length > 1 ? 'go to the next' : 'go there'}
      </button>
    </>
  )
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length
}
