import { ChevronDown, ChevronRight } from 'lucide-react'
import { memo, useCallback, useMemo, useState, type KeyboardEvent, type ReactNode } from 'react'
import { CopyButton, copyText } from '../controls/copy-button'
import { DynamicRows } from '../controls/dynamic-rows'
import controls from '../controls/controls.module.css'
import { formatBytes, formatCount, plural } from '../text/format'
import { Visible } from '../text/visible'
import { findLines, formatPath, linesInSight, type JsonLines } from './json-lines'
import styles from './json-tree.module.css'

const MOST_FOUND = 10_000
/** Longer values are cut on their line until asked for. */
const LONG_VALUE = 2_000
const LONGEST_VALUE = 100_000

export interface JsonTreeProps {
  lines: JsonLines
  /** What the tree shows, for instance `request body`. */
  label: string
  /** Marks after the value of a line. */
  marks?: ReadonlyMap<number, ReactNode>
  /** More controls beside the search. */
  tools?: ReactNode
  /** A line to go to; another object goes there again. */
  reveal?: { line: number; asked: unknown } | null
  /** In a small place: without the folding of everything. */
  compact?: boolean
  /** The text ends before its end because more of it was not loaded. */
  isBeginning?: boolean
}

/** JSON as it was sent, folded and searched by line. */
export function JsonTree(props: JsonTreeProps) {
  const { lines, label, marks, tools, reveal = null, compact = false, isBeginning = false } = props
  const [collapsed, setCollapsed] = useState<ReadonlySet<number>>(new Set())
  const [active, setActive] = useState(0)
  const [hovered, setHovered] = useState(-1)
  const [wanted, setWanted] = useState('')
  const found = useMemo(() => findLines(lines, wanted, MOST_FOUND), [lines, wanted])
  const foundSet = useMemo(() => new Set(found), [found])
  const sight = useMemo(() => linesInSight(lines, collapsed), [lines, collapsed])

  const fold = useCallback((line: number, closed: boolean) => {
    setCollapsed((before) => {
      const next = new Set(before)
      if (closed) next.add(line)
      else next.delete(line)
      return next
    })
  }, [])
  const goTo = (line: number) => {
    const next = new Set(collapsed)
    for (let at = lines.parent(line); at >= 0; at = lines.parent(at)) next.delete(at)
    if (next.size !== collapsed.size) setCollapsed(next)
    setActive(line)
  }
  const [revealed, setRevealed] = useState<unknown>(null)
  if (reveal !== null && reveal.asked !== revealed) {
    setRevealed(reveal.asked)
    goTo(reveal.line)
  }
  const step = (direction: 1 | -1) => {
    if (found.length === 0) return
    const after = found.findIndex((line) => (direction > 0 ? line > active : line >= active))
    const index = after < 0 ? (direction > 0 ? 0 : found.length - 1) : direction > 0 ? after : after - 1
    const line = found[(index + found.length) % found.length]
    if (line !== undefined) goTo(line)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const index = sight.indexOf(active)
    const move = { ArrowDown: 1, ArrowUp: -1, Home: -sight.length, End: sight.length }[event.key]
    if (move !== undefined) {
      const line = sight[Math.max(0, Math.min(sight.length - 1, index + move))]
      if (line !== undefined) setActive(line)
    } else if (event.key === 'ArrowRight' && lines.kind(active) === 'open') {
      fold(active, false)
    } else if (event.key === 'ArrowLeft') {
      if (lines.kind(active) === 'open' && !collapsed.has(active)) fold(active, true)
      else if (lines.parent(active) >= 0) setActive(lines.parent(active))
    } else if (event.key === 'c' || event.key === 'p') {
      if (event.ctrlKey || event.metaKey) return
      void copyText(event.key === 'c' ? lines.value(active) : formatPath(lines.path(active)))
    } else {
      return
    }
    event.preventDefault()
    event.stopPropagation()
  }
  const foldAll = () => {
    const all = new Set<number>()
    for (let line = 1; line < lines.count; line++) if (lines.kind(line) === 'open') all.add(line)
    setCollapsed(all)
    setActive(0)
  }
  const activeIndex = sight.indexOf(active)
  const position = found.indexOf(active)

  return (
    <div className={styles.view}>
      <div className={styles.tools}>
        <input
          type="search"
          className={styles.search}
          placeholder="search"
          aria-label={`search in ${label}`}
          value={wanted}
          onChange={(event) => setWanted(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter') step(event.shiftKey ? -1 : 1)
          }}
        />
        {wanted !== '' && (
          <span className={styles.count} aria-live="polite">
            {found.length === 0
              ? 'nothing found'
              : `${position < 0 ? '' : `${formatCount(position + 1)} of `}${plural(found.length, 'line')}`}
          </span>
        )}
        <span className={styles.spring} />
        {!compact && (
          <>
            <button type="button" className={controls.link} onClick={foldAll}>
              fold all
            </button>
            <button type="button" className={controls.link} onClick={() => setCollapsed(new Set())}>
              unfold all
            </button>
          </>
        )}
        {tools}
      </div>
      <DynamicRows
        className={styles.tree}
        count={sight.length}
        rowHeight={18}
        reveal={activeIndex < 0 ? null : activeIndex}
        rowKey={(index) => sight[index] ?? index}
        role="tree"
        aria-label={`${label}; c copies the value, p the path`}
        tabIndex={0}
        onKeyDown={onKeyDown}
        onMouseLeave={() => setHovered(-1)}
        renderRow={(index) => {
          const line = sight[index] ?? 0
          return (
            <TreeLine
              lines={lines}
              line={line}
              folded={collapsed.has(line)}
              active={line === active}
              found={foundSet.has(line)}
              mark={marks?.get(line)}
              hovered={line === hovered}
              onHover={setHovered}
              onActive={setActive}
              onFold={fold}
            />
          )
        }}
      />
      {lines.problem !== null && <TreeEnd problem={lines.problem} isBeginning={isBeginning} />}
    </div>
  )
}

/** Why the tree ends where it does. */
export function TreeEnd(props: { problem: { offset: number; message: string }; isBeginning: boolean }) {
  const { problem, isBeginning } = props
  if (isBeginning) return <p className={styles.beginning}>The rest is not loaded.</p>
  return (
    <p className={styles.problem}>
      Not JSON from character {formatCount(problem.offset)} on: {problem.message}.
    </p>
  )
}

interface TreeLineProps {
  lines: JsonLines
  line: number
  folded: boolean
  active: boolean
  found: boolean
  mark: ReactNode
  hovered: boolean
  onHover: (line: number) => void
  onActive: (line: number) => void
  onFold: (line: number, closed: boolean) => void
}

const TreeLine = memo(function TreeLine(props: TreeLineProps) {
  const { lines, line, folded, active, found, mark, hovered, onHover, onActive, onFold } = props
  const kind = lines.kind(line)
  const key = lines.key(line)
  const isOpen = kind === 'open'
  const Chevron = folded ? ChevronRight : ChevronDown
  return (
    <div
      className={styles.line}
      role="treeitem"
      aria-level={lines.depth(line) + 1}
      aria-expanded={isOpen ? !folded : undefined}
      aria-selected={active}
      data-found={found || undefined}
      style={{ paddingLeft: 18 + lines.depth(line) * 14 }}
      onMouseEnter={() => onHover(line)}
      onMouseDown={() => onActive(line)}
    >
      {isOpen && (
        <button
          type="button"
          tabIndex={-1}
          className={styles.fold}
          style={{ left: 2 + lines.depth(line) * 14 }}
          aria-label={folded ? 'unfold' : 'fold'}
          onClick={() => onFold(line, !folded)}
        >
          <Chevron size={12} aria-hidden />
        </button>
      )}
      {key !== '' && (
        <>
          <span className={styles.key}>
            <Visible text={key} />
          </span>
          {': '}
        </>
      )}
      <LineValue lines={lines} line={line} folded={folded} />
      {(!isOpen || folded) && lines.hasComma(line) ? ',' : ''}
      {mark}
      {hovered && kind !== 'close' && kind !== 'rest' && (
        <span className={styles.actions}>
          <CopyButton text={() => Promise.resolve(lines.value(line))} what="value" label="value" />
          <CopyButton text={() => Promise.resolve(formatPath(lines.path(line)))} what="path" label="path" />
        </span>
      )}
    </div>
  )
})

function LineValue({ lines, line, folded }: { lines: JsonLines; line: number; folded: boolean }) {
  const [whole, setWhole] = useState(false)
  const kind = lines.kind(line)
  const start = lines.start(line)
  if (kind === 'open') {
    const bracket = lines.text[start]
    if (!folded) return <>{bracket}</>
    const size = lines.size(line)
    return (
      <>
        {bracket}
        <span className={styles.folded}>… {bracket === '{' ? plural(size, 'member') : plural(size, 'item')} …</span>
        {bracket === '{' ? '}' : ']'}
      </>
    )
  }
  const length = lines.end(line) - start
  const shown = Math.min(length, whole ? LONGEST_VALUE : LONG_VALUE)
  const text = lines.text.slice(start, start + shown)
  return (
    <>
      <span className={styles[toneOf(text, kind)]}>
        <Visible text={text} />
      </span>
      {shown < length && (
        <span className={styles.more}>
          … {formatBytes(length - shown)} more
          {!whole && (
            <button type="button" className={controls.link} onClick={() => setWhole(true)}>
              show {length > LONGEST_VALUE ? `the first ${formatBytes(LONGEST_VALUE)}` : 'all'}
            </button>
          )}
        </span>
      )}
    </>
  )
}

function toneOf(text: string, kind: string): string {
  if (kind === 'rest') return 'rest'
  if (kind === 'close' || kind === 'empty') return 'bracket'
  if (text.startsWith('"')) return 'string'
  return /^[-\d]/.test(text) ? 'number' : 'word'
}
