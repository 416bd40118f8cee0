import { useEffect, useRef } from 'react'
import { formatDuration } from '../text/format'
import { Visible } from '../text/visible'
import { RefusedState, StateBlock } from './state-block'
import { AnswerLine, AskLines, Part } from './round-parts'
import type { Round } from './rounds-model'
import styles from './rounds.module.css'

interface RoundCardProps {
  round: Round
  current: boolean
  nowSeconds: number
  onOpen: (call: number) => void
}

/** One round: what the backend asked, what the client answered, the state that travels on. */
export function RoundCard({ round, current, nowSeconds, onOpen }: RoundCardProps) {
  const { record, duration, waited, refused } = round
  const tone = refused !== null ? 'error' : toneOf(round)
  const card = useRef<HTMLElement>(null)
  useEffect(() => {
    if (current) card.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [current])
  return (
    <article
      ref={card}
      className={styles.card}
      data-testid="round-card"
      data-call={round.call}
      data-current={current || undefined}
      aria-label={`round ${round.round}, call ${round.call}`}
    >
      <div className={styles.head}>
        <span className={styles.badge} data-tone={tone}>
          {round.round}
        </span>
        <button type="button" className={styles.number} onClick={() => onOpen(round.call)}>
          #{round.call}
        </button>
        <span className={styles.times}>
          {duration === null ? 'in flight' : formatDuration(duration)}
          {waited === null ? '' : ` · after ${formatDuration(waited)}`}
        </span>
        <span className={styles.outcome} data-tone={tone}>
          {refused !== null ? 'refused' : outcomeText(round)}
        </span>
      </div>
      {(round.answers.length > 0 || round.opened !== null) && (
        <Part title="Client answered">
          {round.answers.map((answer) => (
            <AnswerLine key={answer.key} answer={answer} />
          ))}
          <EchoLine round={round} />
        </Part>
      )}
      {refused !== null && (
        <Part title="State refused">
          <RefusedState state={refused} />
        </Part>
      )}
      {round.asks.length > 0 && (
        <Part title="Backend asks">
          {round.asks.map((ask) => (
            <AskLines key={ask.key} ask={ask} />
          ))}
        </Part>
      )}
      {record.ended?.outcome === 'input-required' && round.asks.length === 0 && (
        <Part title="Backend asks">
          <p className={styles.quiet}>Nothing: it only wants to be called again with this state.</p>
        </Part>
      )}
      {round.sealed !== null && (
        <Part title="Request state sent to the client">
          <StateBlock state={round.sealed} nowSeconds={nowSeconds} />
        </Part>
      )}
      {round.result !== null && (
        <Part title={record.ended?.outcome === 'error' ? 'Error' : 'Result'}>
          <p className={styles.words}>
            <Visible text={round.result.slice(0, 600)} block />
          </p>
        </Part>
      )}
      {record.ended === null && (
        <Part title="In flight">
          <p className={styles.quiet}>The backend is at work on this round.</p>
        </Part>
      )}
    </article>
  )
}

function EchoLine({ round }: { round: Round }) {
  const opened = round.opened?.sealed
  if (round.echoed === false) return <p data-tone="error">✕ the state is not the one that the round before sent</p>
  if (opened === undefined || opened === null) return null
  return (
    <p className={styles.quiet}>
      <span data-tone="ok">✓</span> state of round {opened.round}
      {round.echoed === true ? ', unchanged' : ''}, opened
    </p>
  )
}

function toneOf(round: Round): 'round' | 'ok' | 'error' | 'dim' {
  switch (round.record.ended?.outcome) {
    case 'input-required':
      return 'round'
    case 'error':
    case 'tool-error':
      return 'error'
    case undefined:
    case 'cancelled':
      return 'dim'
    default:
      return 'ok'
  }
}

function outcomeText(round: Round): string {
  const outcome = round.record.ended?.outcome
  if (outcome === undefined) return 'in flight'
  if (outcome === 'input-required') return 'input required'
  return outcome === 'result' ? 'complete' : outcome
}
