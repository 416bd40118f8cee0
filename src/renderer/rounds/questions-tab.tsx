import type { CallRecord } from '../../shared/capture/record'
import { formatOffset, plural } from '../text/format'
import { Visible } from '../text/visible'
import { Fate } from './driven-tab'
import { AskLines, Part } from './round-parts'
import { askOf } from './rounds-model'
import styles from './rounds.module.css'

/** Questions of a legacy backend in the middle of one call: no rounds, but requests on a live stream. */
export function QuestionsTab({ record }: { record: CallRecord }) {
  const { questions, summary } = record
  const refused = questions.filter(({ asked }) => asked === null).length
  return (
    <div className={styles.tab} data-testid="questions">
      <div className={styles.summary}>
        <h2>
          <Visible text={summary.target ?? summary.method ?? 'call'} />
        </h2>
        <span>
          {plural(questions.length, 'request')} of the backend in the middle of this call
          {refused === 0 ? ', passed on to the client' : `, ${refused} of them not passed on`}
          {summary.era === 'modern' ? ': a modern client can only be asked by input_required' : ''}
        </span>
      </div>
      <div className={styles.chain} tabIndex={0} role="region" aria-label="requests of the backend">
        {questions.map((question, index) => (
          <article key={question.seq} className={styles.card} data-testid="question-card">
            <div className={styles.head}>
              <span className={styles.badge} data-tone={question.refused === null ? 'round' : 'error'}>
                {index + 1}
              </span>
              <span className={styles.times}>at {formatOffset(question.offset)}</span>
              <span className={styles.outcome} data-tone={question.refused === null ? 'round' : 'error'}>
                {question.refused !== null ? 'refused' : question.answer === null ? 'open' : 'answered'}
              </span>
            </div>
            <Part title="Backend asks">
              <AskLines ask={askOf('', question.method, question.params ?? {})} />
            </Part>
            <Part title="What became of it">
              <Fate question={question} />
            </Part>
          </article>
        ))}
      </div>
    </div>
  )
}
