import { Search, X } from 'lucide-react'
import { useId, useMemo, useRef, useState, type KeyboardEvent, type Ref } from 'react'
import type { CommandError } from '../../shared/api/contract'
import type { Filter, FilterKey, FilterProblem } from '../../shared/capture/filter-types'
import type { CallSummary } from '../../shared/capture/summary'
import { formatCount } from '../text/format'
import { Visible } from '../text/visible'
import { completionsAt } from './filter-completion'
import { problemsOf } from './filter-problem'
import styles from './filter-box.module.css'

interface FilterBoxProps {
  text: string
  filter: Filter | null
  searching: boolean
  searchError: CommandError | null
  shown: number
  total: number
  keys: readonly FilterKey[]
  /** All calls, the newest first. */
  seen: () => Iterable<CallSummary>
  onChange: (text: string) => void
  /** The keyboard goes back to the table. */
  onLeave: () => void
  inputRef: Ref<HTMLInputElement>
}

export function FilterBox(props: FilterBoxProps) {
  const { text, filter, seen, keys, onChange, onLeave } = props
  const listId = useId()
  const problemId = useId()
  const [open, setOpen] = useState(false)
  const [caret, setCaret] = useState(0)
  const [active, setActive] = useState(-1)
  /** A word was begun here, which Tab may end; otherwise Tab goes on to the next control. */
  const [typed, setTyped] = useState(false)
  const paint = useRef<HTMLDivElement>(null)
  const own = useRef<HTMLInputElement | null>(null)
  const completions = useMemo(
    () => (open ? completionsAt(text, caret, keys, seen()) : { from: 0, to: 0, items: [] }),
    [open, text, caret, keys, seen],
  )
  const { items } = completions
  const { wrong, begun } = problemsOf(filter, open ? caret : null)
  const said = wrong ?? begun

  const take = (index: number) => {
    const item = items[index]
    const input = own.current
    if (item === undefined || input === null) return
    const next = text.slice(0, completions.from) + item.text + text.slice(completions.to).trimStart()
    const position = completions.from + item.text.length
    onChange(next)
    setActive(-1)
    // After a key its value is still to come; after a value Tab goes on.
    setTyped(item.text.endsWith(':'))
    setCaret(position)
    requestAnimationFrame(() => input.setSelectionRange(position, position))
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const move = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (move !== 0 && items.length > 0) {
      event.preventDefault()
      setActive((active + move + items.length + (active < 0 && move < 0 ? 1 : 0)) % items.length)
    } else if (event.key === 'Tab' && !event.shiftKey && items.length > 0 && (typed || active >= 0)) {
      event.preventDefault()
      take(Math.max(0, active))
    } else if (event.key === 'Enter') {
      if (active >= 0) take(active)
      else onLeave()
    } else if (event.key === 'Escape') {
      // Suggestions that nobody has looked into do not hold the keyboard.
      if (active >= 0) setActive(-1)
      else onLeave()
    }
  }

  return (
    <div className={styles.box} data-state={wrong === undefined ? (text === '' ? 'empty' : 'ok') : 'problem'}>
      <Search size={13} className={styles.sign} aria-hidden />
      <div className={styles.field}>
        <div ref={paint} className={styles.paint} aria-hidden="true">
          <Painted text={text} filter={filter} begun={begun} />
        </div>
        <input
          ref={(element) => {
            own.current = element
            if (typeof props.inputRef === 'function') props.inputRef(element)
            else if (props.inputRef !== null) props.inputRef.current = element
          }}
          className={styles.input}
          data-testid="filter-input"
          type="text"
          role="combobox"
          aria-label="filter calls"
          aria-autocomplete="list"
          aria-expanded={open && items.length > 0}
          aria-controls={open && items.length > 0 ? listId : undefined}
          aria-activedescendant={active >= 0 ? `${listId}-${active}` : undefined}
          aria-invalid={wrong !== undefined}
          aria-describedby={said === undefined ? undefined : problemId}
          placeholder="filter…  backend:weather dur:>500ms has:progress"
          spellCheck={false}
          autoComplete="off"
          value={text}
          onChange={(event) => {
            onChange(event.target.value)
            setCaret(event.target.selectionStart ?? event.target.value.length)
            setOpen(true)
            setActive(-1)
            setTyped(/\S$/.test(event.target.value.slice(0, event.target.selectionStart ?? undefined)))
          }}
          onSelect={(event) => setCaret(event.currentTarget.selectionStart ?? 0)}
          onFocus={() => setOpen(true)}
          onBlur={() => {
            setOpen(false)
            setActive(-1)
            setTyped(false)
          }}
          onScroll={(event) => {
            if (paint.current !== null) paint.current.scrollLeft = event.currentTarget.scrollLeft
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      {text === '' ? (
        <kbd className={styles.key}>/</kbd>
      ) : (
        <>
          <span className={styles.count} aria-live="polite">
            {props.searching ? 'searching bodies…' : `${formatCount(props.shown)} of ${formatCount(props.total)}`}
          </span>
          <button type="button" className={styles.clear} aria-label="clear filter" onClick={() => onChange('')}>
            <X size={13} aria-hidden />
          </button>
        </>
      )}
      {(said !== undefined || props.searchError !== null || (open && items.length > 0)) && (
        <div className={styles.drop}>
          {said !== undefined && (
            <p id={problemId} className={wrong === undefined ? styles.lacking : styles.problem}>
              <Visible text={said.message} />
            </p>
          )}
          {props.searchError !== null && (
            <p className={styles.problem} role="alert">
              Bodies could not be searched. <Visible text={props.searchError.message} />
            </p>
          )}
          {open && items.length > 0 && (
            <ul id={listId} className={styles.list} role="listbox" aria-label="completions">
              {items.map((item, index) => (
                <li
                  key={item.text}
                  id={`${listId}-${index}`}
                  role="option"
                  aria-selected={index === active}
                  className={styles.item}
                  onMouseDown={(event) => {
                    event.preventDefault()
                    if (event.button === 0) take(index)
                  }}
                >
                  <span className={styles.label}>
                    <Visible text={item.label} />
                  </span>
                  <span className={styles.hint}>{item.hint}</span>
                </li>
              ))}
            </ul>
          )}
        </div>
      )}
    </div>
  )
}

/** The filter's text with its parts coloured; drawn under the input, whose own text is transparent. */
function Painted({ text, filter, begun }: { text: string; filter: Filter | null; begun: FilterProblem | undefined }) {
  if (filter === null) return <>{text}</>
  const parts: { text: string; kind: string }[] = []
  let at = 0
  for (const token of [...filter.tokens].sort((a, b) => a.from - b.from)) {
    if (token.from < at) continue
    if (token.from > at) parts.push({ text: text.slice(at, token.from), kind: 'plain' })
    const kind = token.kind === 'problem' && token.from === begun?.from ? 'plain' : token.kind
    parts.push({ text: text.slice(token.from, token.to), kind })
    at = token.to
  }
  parts.push({ text: text.slice(at), kind: 'plain' })
  return (
    <>
      {parts.map((part, index) => (
        <span key={index} className={styles[part.kind]}>
          {part.text}
        </span>
      ))}
    </>
  )
}
