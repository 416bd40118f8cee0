import { ArrowRight } from 'lucide-react'
import { Fragment } from 'react'
import type { CallRecord, QuestionRecord } from '../../shared/capture/record'
import { formatDuration, formatOffset, plural } from '../text/format'
import { Visible } from '../text/visible'
import type { DrivenAsk, DrivenRound } from './driven-rounds'
import { AnswerLine, AskLines, Part } from './round-parts'
import { answerTo } from './rounds-model'
import { InnerState } from './state-block'
import styles from './rounds.module.css'

interface DrivenTabProps {
  record: CallRecord
  rounds: readonly DrivenRound[]
}

/** The rounds of one call that Sluice drove for a legacy client, side by side. */
export function DrivenTab({ record, rounds }: DrivenTabProps) {
  const { summary, route, ended } = record
  const echoes = rounds.map(({ echoed }) => echoed).filter((echoed) => echoed !== null)
  return (
    <div className={styles.tab} data-testid="driven-rounds">
      <div className={styles.summary}>
        <h2>
          <Visible text={summary.target ?? summary.method ?? 'call'} />
        </h2>
        <span>
          {route?.backend !== null && route?.backend !== undefined && (
            <>
              on <Visible text={route.backend} /> ·{' '}
            </>
          )}
          {plural(rounds.length, 'round')} within this call, driven by Sluice: this client knows no{' '}
          <code>input_required</code>
          {ended === null ? ' · in flight' : ` · ${formatDuration(ended.offset)}`}
          {waitedWords(rounds)}
        </span>
        {echoes.length > 0 && (
          <span className={styles.checks}>
            <span data-tone={echoes.every(Boolean) ? 'ok' : 'error'}>
              {echoes.every(Boolean) ? '✓ state given back byte for byte' : '✕ another state was given back'}
            </span>
          </span>
        )}
      </div>
      <div className={styles.chain} tabIndex={0} role="region" aria-label="rounds">
        {rounds.map((round, index) => (
          <Fragment key={round.exchange}>
            {index > 0 && (
              <span className={styles.arrow} aria-hidden="true">
                <ArrowRight size={16} />
              </span>
            )}
            <DrivenCard round={round} failure={index === rounds.length - 1 ? failureOf(record, round) : null} />
          </Fragment>
        ))}
      </div>
    </div>
  )
}

/** Why the gateway ended the call with this round, in words. */
function failureOf({ ended }: CallRecord, round: DrivenRound): string | null {
  if (ended?.outcome !== 'error' || ended.by !== 'gateway' || round.outcome === 'error') return null
  return ended.error?.message ?? ended.detail ?? 'the call was ended'
}

function waitedWords(rounds: readonly DrivenRound[]): string {
  let waited = 0
  for (const { asks } of rounds)
    for (const { question } of asks)
      if (question?.asked && question.answer !== null) waited += question.answer.offset - question.asked.offset
  return waited === 0 ? '' : `, of which ${formatDuration(waited)} waiting for the client`
}

const TONES: Record<DrivenRound['outcome'], 'round' | 'ok' | 'error' | 'dim'> = {
  'in flight': 'dim',
  'input required': 'round',
  complete: 'ok',
  error: 'error',
  'no answer': 'error',
}

function DrivenCard({ round, failure }: { round: DrivenRound; failure: string | null }) {
  const { answers, asks, stateGiven, stateCame, echoed, outcome, result } = round
  const tone = TONES[outcome]
  return (
    <article className={styles.card} data-testid="driven-card" aria-label={`round ${round.round}`}>
      <div className={styles.head}>
        <span className={styles.badge} data-tone={tone}>
          {round.round}
        </span>
        <span className={styles.times}>
          at {formatOffset(round.began)}
          {round.answered === null ? '' : ` · ${formatDuration(round.answered - round.began)}`}
        </span>
        <span className={styles.outcome} data-tone={tone}>
          {outcome}
        </span>
      </div>
      {(answers.length > 0 || stateCame !== null) && (
        <Part title="Sluice called again with">
          {answers.map((answer) => (
            <AnswerLine key={answer.key} answer={answer} />
          ))}
          {stateCame !== null && (
            <p className={styles.quiet}>
              <span data-tone={echoed === false ? 'error' : 'ok'}>{echoed === false ? '✕' : '✓'}</span> the backend’s
              state{echoed === true ? ' of the round before, unchanged' : echoed === false ? ', another one' : ''}
            </p>
          )}
        </Part>
      )}
      {asks.length > 0 && (
        <Part title="Backend asks, the client is asked">
          {asks.map(({ ask, question }) => (
            <AskLines key={ask.key} ask={ask}>
              <div className={styles.fate}>
                <Fate question={question} />
              </div>
            </AskLines>
          ))}
        </Part>
      )}
      {outcome === 'input required' && asks.length === 0 && (
        <Part title="Backend asks">
          <p className={styles.quiet}>Nothing: it only wants to be called again with its state.</p>
        </Part>
      )}
      {stateGiven !== null && (
        <Part title="State until the next round">
          <p className={styles.quiet}>Kept by Sluice within this call: not sealed, and never seen by the client.</p>
          <InnerState inner={stateGiven} />
        </Part>
      )}
      {result !== null && (
        <Part title={outcome === 'error' ? 'Error' : 'Result'}>
          <p className={styles.words}>
            <Visible text={result.slice(0, 600)} block />
          </p>
        </Part>
      )}
      {failure !== null && (
        <Part title="Ended by Sluice">
          <p className={styles.words} data-tone="error">
            <Visible text={failure.slice(0, 600)} block />
          </p>
        </Part>
      )}
      {outcome === 'in flight' && (
        <Part title="In flight">
          <p className={styles.quiet}>The backend is at work on this round.</p>
        </Part>
      )}
    </article>
  )
}

/** What became of a question at the client. */
export function Fate({ question }: { question: DrivenAsk['question'] }) {
  if (question === null) return <p data-tone="warn">the client was not asked</p>
  const { asked, refused, answer, by } = question
  return (
    <>
      {asked !== null && <p className={styles.quiet}>client asked at {formatOffset(asked.offset)}</p>}
      {refused !== null && (
        <p data-tone="warn">
          not passed on: <Visible text={refused} />
        </p>
      )}
      {answer === null ? (
        <p data-tone="warn">{asked === null ? 'not answered' : 'waiting for its answer'}</p>
      ) : (
        <Answered answer={answer} asked={asked} told={by === 'backend'} />
      )}
    </>
  )
}

type AnsweredProps = { answer: NonNullable<QuestionRecord['answer']>; asked: QuestionRecord['asked']; told: boolean }

function Answered({ answer, asked, told }: AnsweredProps) {
  const { error, result } = answer.message
  const after = asked === null ? '' : ` after ${formatDuration(answer.offset - asked.offset)}`
  const who = answer.by === 'client' ? `client answered${after}` : told ? 'the backend was told' : 'ended'
  return (
    <>
      <p className={styles.quiet}>{who}:</p>
      {error === undefined ? (
        <AnswerLine answer={answerTo('', result)} />
      ) : (
        <p data-tone="error">
          error {error.code} <Visible text={error.message} />
        </p>
      )}
    </>
  )
}
