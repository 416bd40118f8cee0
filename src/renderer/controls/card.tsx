import type { ReactNode } from 'react'
import { Visible } from '../text/visible'
import styles from './card.module.css'

export function Card({ title, note, children }: { title: ReactNode; note?: ReactNode; children: ReactNode }) {
  return (
    <section className={styles.card}>
      <h3 className={styles.head}>
        <span className={styles.title}>{typeof title === 'string' ? <Visible text={title} /> : title}</span>
        {note !== undefined && <span className={styles.note}>{note}</span>}
      </h3>
      {children}
    </section>
  )
}

export interface Fact {
  name: string
  /** A string is text of servers or clients and shown as such. */
  value: ReactNode
  tone?: 'warn' | 'error' | 'ok' | 'round'
}

/** Names and values, one a line. */
export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className={styles.facts}>
      {facts.map((fact) => (
        <div key={fact.name} className={styles.fact}>
          <dt>{fact.name}</dt>
          <dd data-tone={fact.tone}>{typeof fact.value === 'string' ? <Visible text={fact.value} /> : fact.value}</dd>
        </div>
      ))}
    </dl>
  )
}
