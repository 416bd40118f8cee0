import { useEffect, useMemo, useState, type ReactNode } from 'react'
import type { ComposedCall } from '../../shared/api/compose'
import { isObject, type JsonObject, type JsonValue } from '../../shared/protocol/json-rpc'
import { useActions } from '../actions/use-actions'
import { contentOf } from '../content/content-blocks'
import { ContentView } from '../content/content-view'
import controls from '../controls/controls.module.css'
import { CopyButton } from '../controls/copy-button'
import { Segments } from '../controls/segments'
import { JsonTree } from '../json/json-tree'
import { PlainText } from '../json/plain-text'
import { useJsonLines } from '../json/use-json-lines'
import { useDesk } from '../stores/desk-context'
import { selectCall } from '../stores/selection-store'
import { formatBytes } from '../text/format'
import { Visible } from '../text/visible'
import { AnswerForm } from './answer-form'
import styles from './answer.module.css'

/** What became of a composed request: its rounds, what is asked, the answer. */
export function AnswerPane({ call }: { call: ComposedCall | null }) {
  if (call === null)
    return (
      <div className={styles.empty}>
        <p>The answer comes here.</p>
        <p>Its calls stand in the table of calls too, as those of the client “sluice compose”.</p>
      </div>
    )
  const over = call.endedAt !== null
  return (
    <section className={styles.pane} aria-label="answer" data-testid="composed" data-state={call.state}>
      <Head call={call} />
      {call.state === 'asking' && (
        <AnswerForm key={`${call.rounds.length} ${call.asks.map(({ key }) => key).join(' ')}`} call={call} />
      )}
      {call.problem !== null && (
        <p className={styles.problem} role="alert">
          <Visible text={call.problem} />
        </p>
      )}
      {over && call.answer !== null && <Result text={call.answer.text} length={call.answer.length} />}
    </section>
  )
}

const STATES: Record<ComposedCall['state'], string> = {
  sending: 'under way',
  asking: 'input required',
  answered: 'answered',
  failed: 'failed',
  cancelled: 'cancelled',
}

function Head({ call }: { call: ComposedCall }) {
  const { compose, selection } = useDesk()
  const underWay = call.endedAt === null
  const error = call.state === 'answered' && hasError(call)
  useActions(
    underWay
      ? { 'compose.cancel': () => void compose.cancel(call.id) }
      : {
          'compose.again': () => void compose.resend(call.request),
          'compose.edit': () => compose.open(call.request),
        },
  )
  return (
    <header className={styles.head}>
      <span className={styles.state} data-state={error ? 'error' : call.state} role="status">
        {error ? 'error' : STATES[call.state]}
      </span>
      <span className={styles.took}>
        <Took from={call.startedAt} until={call.endedAt} />
      </span>
      <ol className={styles.rounds} aria-label="rounds">
        {call.rounds.map((round, index) => (
          <li key={round.id}>
            <button
              type="button"
              className={styles.round}
              disabled={round.call === null}
              title="show this call below"
              data-testid="composed-round"
              onClick={() => selectCall(selection, round.call)}
            >
              {call.rounds.length > 1 && <span className={styles.roundNumber}>{index + 1}</span>}
              {round.call === null ? '…' : `#${round.call}`}
              {round.status !== null && <span className={styles.roundStatus}>{round.status}</span>}
            </button>
          </li>
        ))}
      </ol>
      <span className={styles.tools}>
        {underWay ? (
          <button type="button" className={controls.button} onClick={() => void compose.cancel(call.id)}>
            Cancel
          </button>
        ) : (
          <>
            <button type="button" className={controls.button} onClick={() => void compose.resend(call.request)}>
              Send again
            </button>
            <button type="button" className={controls.button} onClick={() => compose.open(call.request)}>
              Edit
            </button>
          </>
        )}
      </span>
    </header>
  )
}

/** Moves while the call is under way. */
function Took({ from, until }: { from: number; until: number | null }) {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    if (until !== null) return
    const timer = setInterval(() => setNow(Date.now()), 100)
    return () => clearInterval(timer)
  }, [until])
  const took = Math.max(0, (until ?? now) - from)
  return <>{took < 1_000 ? `${took} ms` : `${(took / 1_000).toFixed(1)} s`}</>
}

function hasError({ answer }: ComposedCall): boolean {
  if (answer === null) return false
  const message = wholeMessage(answer)
  return isObject(message?.error) || (isObject(message?.result) && message.result.isError === true)
}

/** The answer as it came; undefined when not all of it is here. */
function wholeMessage({ text, length }: { text: string; length: number }): JsonObject | undefined {
  if (text.length < length) return undefined
  const message = JSON.parse(text) as JsonValue
  return isObject(message) ? message : undefined
}

type View = 'content' | 'tree' | 'raw'

const JSON_VIEWS: { value: View; label: string }[] = [
  { value: 'tree', label: 'tree' },
  { value: 'raw', label: 'raw' },
]

function Result({ text, length }: { text: string; length: number }) {
  const blocks = useMemo(() => {
    const result = wholeMessage({ text, length })?.result
    return isObject(result) ? contentOf(result) : undefined
  }, [text, length])
  const [chosen, setChosen] = useState<View>('tree')
  const view = chosen === 'content' && blocks === undefined ? 'tree' : chosen
  const cut = text.length < length
  const tools = (
    <>
      <Segments
        label="view"
        value={view}
        options={blocks === undefined ? JSON_VIEWS : [{ value: 'content', label: 'content' }, ...JSON_VIEWS]}
        onChange={setChosen}
      />
      <CopyButton text={text} what="answer" />
    </>
  )
  return (
    <div className={styles.result}>
      {cut && (
        <p className={styles.quiet}>
          The first {formatBytes(text.length)} of {formatBytes(length)}; the call below has the whole.
        </p>
      )}
      {view !== 'tree' && <div className={styles.resultTools}>{tools}</div>}
      <div className={styles.resultBody}>
        {view === 'tree' && <Tree text={text} tools={tools} />}
        {view === 'raw' && <PlainText text={text} label="answer, raw" />}
        {view === 'content' && blocks !== undefined && <ContentView blocks={blocks} />}
      </div>
    </div>
  )
}

function Tree({ text, tools }: { text: string; tools: ReactNode }) {
  const read = useJsonLines(text)
  if (read.lines === null) return <p className={styles.quiet}>Reading… {Math.round(read.share * 100)} %</p>
  return <JsonTree lines={read.lines} label="answer" tools={tools} />
}
