import type { CallRecord, QuestionRecord, SentRecord } from '../../shared/capture/record'
import { Card, Facts, type Fact } from '../controls/card'
import { formatDuration, formatOffset } from '../text/format'
import styles from './frame-detail.module.css'

/** Why something was sent once more within its exchange. */
export function AgainCard({ again }: { again: NonNullable<SentRecord['again']> }) {
  return (
    <Card title={again === 'resume' ? 'the stream is resumed' : 'sent once more'}>
      <p className={styles.words}>
        {again === 'resume'
          ? 'The stream of the answer broke. This GET asks for what came after the last event (Last-Event-ID).'
          : 'The backend no longer knew the session, so the call had done nothing there. A new session was begun, and the same body sent in it.'}
      </p>
    </Card>
  )
}

/** What became of a request in the direction of the client. */
export function QuestionCard({ record, seq }: { record: CallRecord; seq: number }) {
  const question = record.questions.find((each) => each.seq === seq || each.asked?.seq === seq)
  if (question === undefined) return null
  return (
    <Card title={question.by === 'backend' ? 'the backend asks' : 'Sluice asks for the backend'}>
      <Facts facts={questionFacts(question)} />
    </Card>
  )
}

function questionFacts({ method, asked, refused, answer, by }: QuestionRecord): Fact[] {
  const facts: Fact[] = [{ name: 'method', value: method }]
  if (asked !== null) facts.push({ name: 'client', value: `asked at ${formatOffset(asked.offset)}` })
  if (refused !== null) facts.push({ name: 'not passed', value: refused, tone: 'warn' })
  if (answer === null) {
    facts.push({ name: 'answer', value: asked === null ? 'none' : 'none yet', tone: 'warn' })
    return facts
  }
  const after = asked === null ? '' : `, after ${formatDuration(answer.offset - asked.offset)}`
  const { error } = answer.message
  facts.push({ name: 'answered', value: `by the ${answer.by}${after}` })
  // A refusal tells the backend the same reason.
  const told = error !== undefined && refused !== null && error.message.includes(refused)
  facts.push({
    name: 'with',
    value: error === undefined ? 'a result' : `error ${error.code}${told ? ', saying so' : ` ${error.message}`}`,
    tone: error === undefined ? 'ok' : 'error',
  })
  if (by === 'gateway')
    facts.push({ name: 'why', value: 'the backend answered input_required, which this client does not know' })
  return facts
}
