import { useState } from 'react'
import { describeRefusal } from '../../shared/capture/describe'
import type { SealedState } from '../../shared/capture/events'
import type { StateRecord } from '../../shared/capture/record'
import controls from '../controls/controls.module.css'
import { Facts, type Fact } from '../controls/card'
import { CopyButton } from '../controls/copy-button'
import { formatClock, formatRemaining } from '../text/format'
import { Visible } from '../text/visible'
import { readInnerState, shortToken } from './inner-state'
import styles from './rounds.module.css'

const HIDDEN = '•'.repeat(18)
const LONGEST_INNER = 4_000

interface StateBlockProps {
  state: StateRecord
  /** Unix seconds, for what is left of its life. */
  nowSeconds: number
}

/** A request state in its two layers: what the client holds and what the gateway sealed in it, and the backend's own. */
export function StateBlock({ state, nowSeconds }: StateBlockProps) {
  const [revealed, setRevealed] = useState(false)
  const { sealed } = state
  const left = sealed === null ? 0 : sealed.expiresAt - nowSeconds
  const facts: Fact[] = [
    {
      name: 'token',
      value: revealed ? <Token text={state.outer} /> : `${HIDDEN} ${shortToken(state.outer).split(' · ')[1] ?? ''}`,
    },
  ]
  if (sealed !== null) {
    if (revealed) facts.push(...sealedFacts(sealed))
    facts.push({ name: 'expires', value: formatRemaining(left), tone: left > 0 ? 'warn' : 'error' })
    if (revealed && state.kid !== null) facts.push({ name: 'key', value: state.kid })
  }
  return (
    <div className={styles.state} data-testid="state-outer">
      <div className={styles.stateHead}>
        <span>outer · sealed by Sluice{sealed === null ? '' : ` · round ${sealed.round}`}</span>
        <span className={styles.stateTools}>
          {revealed && <CopyButton text={state.outer} what="token" label="copy" />}
          <button
            type="button"
            className={controls.link}
            aria-pressed={revealed}
            onClick={() => setRevealed(!revealed)}
          >
            {revealed ? 'hide' : 'reveal'}
          </button>
        </span>
      </div>
      <Facts facts={facts} />
      {revealed && sealed !== null && <InnerState inner={sealed.inner} />}
    </div>
  )
}

function Token({ text }: { text: string }) {
  return (
    <span title="shortened; copy gives the whole">
      <Visible text={shortToken(text)} />
    </span>
  )
}

function sealedFacts(sealed: SealedState): Fact[] {
  return [
    { name: 'backend', value: sealed.backend },
    { name: 'endpoint', value: sealed.endpoint },
    { name: 'call', value: `${sealed.method} ${sealed.target}` },
    { name: 'issued', value: formatClock(sealed.issuedAt * 1000, 0).slice(0, 8) },
    { name: 'params', value: `digest ${shortDigest(sealed.paramsDigest)}` },
    {
      name: 'caller',
      value: sealed.callerDigest === null ? 'sent no authorization' : `digest ${shortDigest(sealed.callerDigest)}`,
    },
    { name: 'operation', value: sealed.operation },
  ]
}

function shortDigest(digest: string): string {
  return digest.length > 16 ? `${digest.slice(0, 12)}…` : digest
}

/** A backend's own state as it is, and its payload where it can be read. */
export function InnerState({ inner }: { inner: string | undefined }) {
  if (inner === undefined) return <p className={styles.noInner}>The backend gave no state of its own.</p>
  const readable = readInnerState(inner)
  return (
    <div className={styles.inner} data-testid="state-inner">
      <div className={styles.stateHead}>
        <span>inner · the backend’s own</span>
        <CopyButton text={inner} what="inner state" label="copy" />
      </div>
      <code className={styles.innerText}>
        {inner === '' ? <i>empty</i> : <Visible text={inner.slice(0, LONGEST_INNER)} />}
        {inner.length > LONGEST_INNER && ' …'}
      </code>
      {readable !== null && (
        <p className={styles.readable}>
          <span>{readable.version}, readable, not verified</span>
          <code>
            <Visible text={readable.payload} />
          </code>
        </p>
      )}
    </div>
  )
}

/** Why a retry was refused before anything reached a backend. */
export function RefusedState({ state }: { state: StateRecord }) {
  const facts: Fact[] = [{ name: 'reason', value: state.reason ?? 'unknown', tone: 'error' }]
  if (state.differs !== null) {
    facts.push(
      { name: 'differs', value: state.differs.field, tone: 'error' },
      { name: 'sealed', value: JSON.stringify(state.differs.sealed) },
      { name: 'now', value: JSON.stringify(state.differs.now) },
    )
  }
  return (
    <div className={styles.refused}>
      <p>
        The retry was refused: its state {state.reason === null ? 'was not accepted' : describeRefusal(state.reason)}.
      </p>
      <Facts facts={facts} />
    </div>
  )
}
