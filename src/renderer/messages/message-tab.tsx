import { useState, type ReactNode } from 'react'
import { Group, Panel, Separator } from 'react-resizable-panels'
import type { Edit } from '../../shared/capture/events'
import type { BodyText } from '../../shared/capture/record'
import controls from '../controls/controls.module.css'
import { Segments } from '../controls/segments'
import { useLayout } from '../controls/use-layout'
import type { JsonLines } from '../json/json-lines'
import type { WholeText } from '../stores/call-logs'
import { formatBytes, plural } from '../text/format'
import { Visible } from '../text/visible'
import { BodyView } from './body-view'
import { EditChange } from './edit-list'
import type { LegVerdict } from './legs'
import styles from './message-tab.module.css'

/** The body of one leg. */
export interface LegBody {
  body: BodyText
  /** The JSON within the text when the whole of a clipped one was loaded. */
  extract?: (text: string) => string
}

export interface MessageTabProps {
  /** `request` or `response`. */
  what: string
  client: LegBody | null
  backend: LegBody | null
  /** Edits in the body that came (of a request the client's, of a response the backend's). */
  edits: readonly Edit[]
  came: 'client' | 'backend'
  verdict: LegVerdict
  /** Says why a leg has no body. */
  absent: { client: string; backend: string }
  wholes: ReadonlyMap<number, WholeText>
  onLoadWhole: (seq: number) => void
  /** Which of several exchanges is shown. */
  choice?: ReactNode
  /** What the message carries for people, as it is meant to be seen. */
  content?: ReactNode
  /** The structured content of a result; `problem` says in a few words what is wrong with it. */
  structured?: { view: ReactNode; problem: string | null }
}

type Shown = 'client' | 'backend' | 'both' | 'content' | 'structured'

/** A request or a response on both legs, and how the one differs from the other. */
export function MessageTab(props: MessageTabProps) {
  const { what, client, backend, edits, came, verdict, absent, wholes, onLoadWhole, choice, content, structured } =
    props
  const [chosen, setShown] = useState<Shown>('client')
  // Another call may have none.
  const has = { content: content !== undefined, structured: structured !== undefined }
  const shown = (chosen === 'content' || chosen === 'structured') && !has[chosen] ? 'client' : chosen
  const layout = useLayout('legs', { client: 50, backend: 50 })
  const cut = [client, backend].flatMap((held) => (held !== null && held.body.clipped ? held.body.seq : []))
  const onLoadBoth = cut.length > 0 && client !== null && backend !== null ? () => cut.forEach(onLoadWhole) : null
  const view = (leg: 'client' | 'backend') => {
    const held = leg === 'client' ? client : backend
    if (held === null) return <p className={styles.absent}>{absent[leg]}</p>
    return (
      <BodyView
        key={`${leg} ${held.body.seq}`}
        body={held.body}
        whole={wholes.get(held.body.seq)}
        onLoadWhole={onLoadWhole}
        label={`${what} body, ${leg} leg`}
        {...(held.extract === undefined ? {} : { extract: held.extract })}
        marks={(lines) => editMarks(lines, edits, leg === came)}
      />
    )
  }
  return (
    <div className={styles.tab}>
      <div className={styles.bar}>
        <Segments
          label="leg"
          value={shown}
          options={[
            { value: 'client', label: 'client leg' },
            { value: 'backend', label: 'backend leg' },
            { value: 'both', label: 'both' },
            ...(has.content ? [{ value: 'content' as const, label: 'content' }] : []),
            ...(has.structured ? [{ value: 'structured' as const, label: 'structured' }] : []),
          ]}
          onChange={setShown}
        />
        {choice}
        <Verdict what={what} verdict={verdict} edits={edits} onLoadBoth={onLoadBoth} />
        {structured !== undefined && structured.problem !== null && (
          <button type="button" className={styles.bad} onClick={() => setShown('structured')}>
            ✕ {structured.problem}
          </button>
        )}
      </div>
      {verdict.kind === 'differs' && <Difference verdict={verdict} />}
      <div className={styles.body}>
        {shown === 'content' ? (
          content
        ) : shown === 'structured' ? (
          structured?.view
        ) : shown === 'both' ? (
          <Group orientation="horizontal" {...layout}>
            <Panel id="client" minSize={160}>
              <div className={styles.half}>{view('client')}</div>
            </Panel>
            <Separator aria-label="width of the client leg" />
            <Panel id="backend" minSize={160}>
              <div className={styles.half}>{view('backend')}</div>
            </Panel>
          </Group>
        ) : (
          view(shown)
        )}
      </div>
    </div>
  )
}

interface VerdictProps {
  what: string
  verdict: LegVerdict
  edits: readonly Edit[]
  onLoadBoth: (() => void) | null
}

function Verdict({ what, verdict, edits, onLoadBoth }: VerdictProps) {
  switch (verdict.kind) {
    case 'same':
      return <span className={styles.good}>✓ the same on both legs, byte for byte</span>
    case 'edited':
      return (
        <span className={styles.good}>
          ✓ {plural(edits.length, 'named edit')} ({edits.map((edit) => edit.what).join(', ')}), all else byte for byte
        </span>
      )
    case 'differs':
      return <span className={styles.bad}>✕ the legs differ beyond the named edits</span>
    case 'merged':
      return (
        <span className={styles.unsure}>
          {what === 'request'
            ? 'each backend was asked in the gateway’s own words'
            : 'the gateway merged what the backends answered'}
        </span>
      )
    case 'none':
      return null
    case 'unknown':
      return (
        <span className={styles.unsure}>
          not compared: not both legs are here whole{' '}
          {onLoadBoth !== null && (
            <button type="button" className={controls.link} onClick={onLoadBoth}>
              load both
            </button>
          )}
        </span>
      )
  }
}

const LONGEST = 400
function Difference({ verdict }: { verdict: Extract<LegVerdict, { kind: 'differs' }> }) {
  const cut = (text: string) =>
    text.length > LONGEST ? `${text.slice(0, LONGEST)}… (${formatBytes(text.length)})` : text
  return (
    <div className={styles.difference}>
      <p>From character {verdict.offset} on:</p>
      <p>
        <del>
          <Visible text={cut(verdict.before)} />
        </del>
      </p>
      <p>
        <ins>
          <Visible text={cut(verdict.after)} />
        </ins>
      </p>
    </div>
  )
}

/**
 * Marks the lines of a tree that an edit concerns. Places (`offset`) count in the text as it came; in the text as it
 * was carried on, or where an edit has no place, its JSON Pointer finds the line.
 */
function editMarks(lines: JsonLines, edits: readonly Edit[], came: boolean): ReadonlyMap<number, ReactNode> {
  const marks = new Map<number, ReactNode>()
  for (const edit of edits) {
    if (edit.what === 'header') continue
    const line =
      came && edit.was !== undefined && edit.offset !== undefined
        ? lines.lineAt(edit.offset)
        : lines.lineOfPointer(edit.at)
    const before = marks.get(line)
    marks.set(
      line,
      <>
        {before}
        <span className={styles.mark} title={`${edit.what} at ${edit.at}`}>
          {edit.was === undefined || lines.kind(line) === 'open' ? `${edit.at} ` : ''}
          <EditChange edit={edit} />
        </span>
      </>,
    )
  }
  return marks
}
