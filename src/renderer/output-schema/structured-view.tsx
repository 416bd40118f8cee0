import { useState, type ReactNode } from 'react'
import type { Problem } from '../compose/schema-check'
import controls from '../controls/controls.module.css'
import { CopyButton } from '../controls/copy-button'
import page from '../controls/page.module.css'
import type { JsonLines } from '../json/json-lines'
import { JsonTree } from '../json/json-tree'
import { useJsonLines } from '../json/use-json-lines'
import { formatBytes, plural } from '../text/format'
import { Visible } from '../text/visible'
import { visibleString } from '../text/visible-text'
import styles from './structured-view.module.css'
import type { OutputCheck } from './use-output-check'

interface StructuredViewProps {
  /** As it was sent; undefined when the result has none. */
  text: string | undefined
  check: OutputCheck
  /** Opens the call that listed the tool. */
  onOpen: (call: number) => void
}

/** Structured content as a tree, with each place marked where it is not as the tool's output schema says. */
export function StructuredView({ text, check, onOpen }: StructuredViewProps) {
  const [goTo, setGoTo] = useState<{ pointer: string } | null>(null)
  const { schema, problems, unchecked } = check
  return (
    <div className={page.page} data-testid="structured">
      <div className={styles.head}>
        <CheckVerdict check={check} />
        {schema !== null && schema.kind !== 'unlisted' && (
          <button type="button" className={controls.link} onClick={() => onOpen(schema.list)}>
            the list of tools, #{schema.list}
          </button>
        )}
      </div>
      {unchecked === null && problems.length > 0 && (
        <ul className={styles.problems} aria-label="differences from the output schema" tabIndex={0}>
          {problems.map((problem, index) => (
            <li key={index}>
              <button type="button" className={styles.problem} onClick={() => setGoTo({ pointer: problem.pointer })}>
                <code className={styles.pointer}>
                  <Visible text={problem.pointer === '' ? '(the whole)' : problem.pointer} />
                </code>
                <Visible text={problem.message} />
              </button>
            </li>
          ))}
        </ul>
      )}
      {text === undefined ? (
        <p className={styles.none}>The result has no structured content.</p>
      ) : (
        <Tree text={text} problems={unchecked === null ? problems : NONE} goTo={goTo} />
      )}
    </div>
  )
}

const NONE: readonly Problem[] = []

/** What came of the check, in a sentence. */
function CheckVerdict({ check: { schema, problems, unchecked } }: { check: OutputCheck }) {
  if (unchecked !== null)
    return (
      <span className={styles.quiet}>
        <Visible text={unchecked} />
      </span>
    )
  if (schema === null) return <span className={styles.quiet}>Looking for the output schema…</span>
  if (problems.length === 0) return <span className={styles.good}>✓ as the output schema of the tool says</span>
  return (
    <span className={styles.bad}>✕ {plural(problems.length, 'difference')} from the output schema of the tool</span>
  )
}

function Tree(props: { text: string; problems: readonly Problem[]; goTo: { pointer: string } | null }) {
  const { text, problems, goTo } = props
  const { lines } = useJsonLines(text)
  if (lines === null)
    return (
      <p className={styles.none} role="status">
        Reading {formatBytes(text.length)} of JSON…
      </p>
    )
  const reveal = goTo === null ? null : { line: lines.lineOfPointer(goTo.pointer), asked: goTo }
  return (
    <JsonTree
      lines={lines}
      label="structured content"
      marks={problemMarks(lines, problems)}
      tools={<CopyButton text={text} what="structured content" />}
      reveal={reveal}
    />
  )
}

/** Marks at the places of problems; what is missing is marked where it should be. */
function problemMarks(lines: JsonLines, problems: readonly Problem[]): ReadonlyMap<number, ReactNode> {
  const marks = new Map<number, ReactNode>()
  for (const { pointer, message, missing } of problems) {
    const line = lines.lineOfPointer(pointer)
    marks.set(
      line,
      <>
        {marks.get(line)}
        <span className={styles.mark} title={visibleString(pointer)} data-testid="schema-mark">
          ✕ {missing === true && pointer !== '' && <Visible text={`${lastOf(pointer)} `} />}
          <Visible text={message} />
        </span>
      </>,
    )
  }
  return marks
}

function lastOf(pointer: string): string {
  return pointer
    .slice(pointer.lastIndexOf('/') + 1)
    .replaceAll('~1', '/')
    .replaceAll('~0', '~')
}
