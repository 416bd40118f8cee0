import { useEffect, useMemo, useState } from 'react'
import { readJsonLines, scanJson, type JsonLines } from './json-lines'

/** Texts up to this length are read before the next frame; longer ones in slices between frames. */
const AT_ONCE = 200_000
const SLICE_MS = 8

export type ReadState = { lines: JsonLines } | { lines: null; share: number }

/** The lines of a text. A long text is read without holding up a frame; until it is, tells how far it came (0 to 1). */
export function useJsonLines(text: string): ReadState {
  const short = useMemo(() => (text.length <= AT_ONCE ? readJsonLines(text) : null), [text])
  const [long, setLong] = useState<{ text: string; state: ReadState }>({ text: '', state: { lines: null, share: 0 } })
  useEffect(() => {
    if (text.length <= AT_ONCE) return
    const scan = scanJson(text)
    let timer = setTimeout(slice)
    function slice() {
      const until = performance.now() + SLICE_MS
      for (;;) {
        const step = scan.next()
        if (step.done === true) {
          setLong({ text, state: { lines: step.value } })
          return
        }
        if (performance.now() < until) continue
        setLong({ text, state: { lines: null, share: step.value / text.length } })
        timer = setTimeout(slice)
        return
      }
    }
    return () => clearTimeout(timer)
  }, [text])
  if (short !== null) return { lines: short }
  return long.text === text ? long.state : { lines: null, share: 0 }
}
