import type { ReactNode } from 'react'
import { Visible } from '../text/visible'
import type { Answer, Ask } from './rounds-model'
import styles from './rounds.module.css'

/** A titled part of a card. */
export function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={styles.part}>
      <h3 className={styles.partTitle}>{title}</h3>
      {children}
    </section>
  )
}

/** What is asked; `children` tell what became of it. */
export function AskLines({ ask, children }: { ask: Ask; children?: ReactNode }) {
  return (
    <div className={styles.ask}>
      <p>
        <span className={styles.key}>
          <Visible text={ask.key} />
        </span>{' '}
        <Visible text={ask.method} />
        {ask.mode !== null && (
          <>
            {' · '}
            <Visible text={ask.mode} />
          </>
        )}
      </p>
      {ask.message !== null && (
        <p className={styles.words}>
          “<Visible text={ask.message} block />”
        </p>
      )}
      {ask.url !== null && (
        <p className={styles.url}>
          <Visible text={ask.url} />
        </p>
      )}
      {ask.fields.length > 0 && (
        <p className={styles.fields}>
          <Visible text={ask.fields.join(', ')} />
        </p>
      )}
      {children}
    </div>
  )
}

export function AnswerLine({ answer }: { answer: Answer }) {
  return (
    <p className={styles.answer}>
      <span className={styles.key}>
        <Visible text={answer.key} />
      </span>{' '}
      {answer.action !== null && (
        <span data-tone={answer.action === 'accept' ? 'ok' : 'warn'}>
          <Visible text={answer.action} />
        </span>
      )}{' '}
      {answer.content !== null && <Visible text={JSON.stringify(answer.content)} />}
    </p>
  )
}
