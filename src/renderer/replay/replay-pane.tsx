import { RotateCcw } from 'lucide-react'
import { useState } from 'react'
import type { ReplayStatus } from '../../shared/api/replay'
import controls from '../controls/controls.module.css'
import { Failure } from '../controls/failure'
import changes from '../controls/changes.module.css'
import page from '../controls/page.module.css'
import { useFocusWhenLost } from '../controls/use-focus-when-lost'
import shell from '../shell/shell.module.css'
import { useDesk, useReplays } from '../stores/desk-context'
import { formatCount, plural } from '../text/format'
import { Visible } from '../text/visible'
import { visibleString } from '../text/visible-text'
import { ReplayPlanView, type PlanChoice } from './replay-plan'
import { ReplayReportView } from './replay-report'
import styles from './replay.module.css'

/** One replay, from its plan to its report. */
export function ReplayPane({ status }: { status: ReplayStatus | undefined }) {
  const { replays } = useDesk()
  const { plans, reports, requests, planning } = useReplays((state) => state)
  const [choice, setChoice] = useState<PlanChoice>({ consented: new Set(), pacing: 'in-order', ignore: '' })
  if (status === undefined || (status.state === 'planning' && !plans.has(status.id))) {
    return <Reading status={status} />
  }
  const plan = plans.get(status.id)
  const report = reports.get(status.id)
  const request = requests.get(status.id)
  const start = () => {
    const ignore = choice.ignore
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '')
    const consented = [...choice.consented]
    void replays.start({ replay: status.id, consented, pacing: choice.pacing, ignore })
  }
  return (
    <div className={`${page.page ?? ''} ${changes.changes ?? ''}`} data-testid="replay-pane">
      <div className={page.bar}>
        <RotateCcw size={14} aria-hidden className={page.sign} />
        <h2 className={styles.title} title={visibleString(status.name)}>
          Replay of <Visible text={status.name} />
        </h2>
        <span className={page.quiet}>{stateWords(status)}</span>
        <span className={page.spring} />
        {/* They stay until the report is here, which takes the focus from them. */}
        {(isUnderWay(status) || (status.state === 'done' && report === undefined)) && <RunButtons status={status} />}
        <button
          type="button"
          className={controls.icon}
          aria-label="close replay"
          title="Forget this replay; one that runs is stopped"
          onClick={() => void replays.close(status.id)}
        >
          ✕
        </button>
      </div>
      {isUnderWay(status) && <Progress status={status} />}
      {report !== undefined ? (
        <ReplayReportView status={status} report={report} />
      ) : plan === undefined ? (
        <p className={styles.middle}>Loading…</p>
      ) : (
        <ReplayPlanView
          plan={plan}
          choice={choice}
          locked={status.state !== 'planned'}
          planning={planning}
          onChoice={setChoice}
          onMap={
            request === undefined ? null : (mapping) => void replays.plan({ ...request, mapping, instead: status.id })
          }
          onStart={start}
        />
      )}
    </div>
  )
}

/** Until the plan is made. The keyboard waits here for it, and not where its command was given. */
function Reading({ status }: { status: ReplayStatus | undefined }) {
  const { replays } = useDesk()
  const waiting = useFocusWhenLost<HTMLDivElement>()
  const read =
    status === undefined || status.total === 0
      ? ''
      : ` ${formatCount(status.done)} of ${formatCount(status.total)} calls`
  return (
    <div ref={waiting} className={styles.middle} role="status" tabIndex={-1}>
      <p>Reading what was recorded…{read}</p>
      {status !== undefined && (
        <button type="button" className={controls.button} onClick={() => void replays.stop(status.id)}>
          Stop
        </button>
      )}
    </div>
  )
}

function stateWords({ state, total, done }: ReplayStatus): string {
  if (state === 'planned') return `nothing was sent yet · ${plural(total, 'operation')} can be sent`
  if (state === 'done') return `${plural(total, 'operation')}`
  return `${state} · ${formatCount(done)} of ${formatCount(total)}`
}

function isUnderWay({ state }: ReplayStatus): boolean {
  return state === 'running' || state === 'paused'
}

function RunButtons({ status }: { status: ReplayStatus }) {
  const { replays } = useDesk()
  const pause = useFocusWhenLost<HTMLButtonElement>()
  const paused = status.state === 'paused'
  const over = !isUnderWay(status)
  return (
    <>
      <button
        ref={pause}
        type="button"
        className={controls.button}
        aria-disabled={over}
        onClick={() => over || void replays.pause(status.id, !paused)}
      >
        {paused ? 'Go on' : 'Pause'}
      </button>
      <button
        type="button"
        className={controls.button}
        aria-disabled={over}
        onClick={() => over || void replays.stop(status.id)}
      >
        Stop
      </button>
    </>
  )
}

function Progress({ status }: { status: ReplayStatus }) {
  const { counts, done, total } = status
  return (
    <div className={styles.progressOf}>
      <progress className={styles.progress} aria-label="replay" max={Math.max(1, total)} value={done} />
      <span>
        {formatCount(counts.same)} same · {formatCount(counts.different)} different · {formatCount(counts.failed)}{' '}
        failed
      </span>
    </div>
  )
}

/** Errors of commands that concern replays. */
export function ReplayFailure() {
  const { replays } = useDesk()
  const error = useReplays((state) => state.error)
  if (error === null) return null
  return (
    <div className={shell.failure}>
      <Failure what="The replay could not go on so." error={error} onDismiss={() => replays.clearError()} />
    </div>
  )
}
