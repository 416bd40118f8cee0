import { Pause, Play } from 'lucide-react'
import { memo, type ChangeEvent } from 'react'
import { useStore } from 'zustand'
import controls from '../controls/controls.module.css'
import { useActions } from '../actions/use-actions'
import { formatClock, formatSpan } from '../text/format'
import { SLICES, SPEEDS, type Playback, type PlaybackState } from './playback'
import styles from './transport-bar.module.css'

/** Plays a capture: the moment that is shown, over how busy the capture was. */
export function TransportBar({ playback, startedAt }: { playback: Playback; startedAt: number }) {
  const { active, playing, speed, head, begin, end, density } = useStore(playback.store)
  const toggle = () => (playing ? playback.pause() : playback.play())
  const faster = (by: 1 | -1) => {
    const next = SPEEDS[SPEEDS.findIndex((each) => each === speed) + by]
    if (next !== undefined) playback.setSpeed(next)
  }
  useActions({ 'captures.play': toggle, 'captures.slower': () => faster(-1), 'captures.faster': () => faster(1) })
  const passed = formatSpan(head - begin)
  const whole = formatSpan(end - begin)
  return (
    <div className={styles.bar} role="group" aria-label="playback" data-testid="transport">
      <button
        type="button"
        className={styles.play}
        aria-label={playing ? 'pause' : 'play'}
        title={`${playing ? 'Pause' : 'Play'} (p)`}
        disabled={end === begin}
        onClick={toggle}
      >
        {playing ? <Pause size={14} aria-hidden /> : <Play size={14} aria-hidden />}
      </button>
      <div className={styles.scrub} data-active={active || undefined}>
        <Density density={density} />
        <div
          className={styles.ahead}
          style={{ left: `${end === begin ? 100 : ((head - begin) / (end - begin)) * 100}%` }}
        />
        <input
          type="range"
          min={0}
          max={Math.max(1, end - begin)}
          step={Math.max(1, (end - begin) / 2_000)}
          value={head - begin}
          aria-label="moment that is shown"
          aria-valuetext={`${passed} of ${whole}`}
          onChange={(event: ChangeEvent<HTMLInputElement>) => playback.seek(begin + Number(event.target.value))}
        />
      </div>
      <span className={styles.time} title={`time of day: ${formatClock(startedAt, head)}`}>
        <b data-testid="playhead">{passed}</b> / {whole}
      </span>
      <label className={styles.speed} title="Speed (< >)">
        <span className={styles.hidden}>speed</span>
        <select value={speed} onChange={(event) => playback.setSpeed(Number(event.target.value))}>
          {SPEEDS.map((each) => (
            <option key={each} value={each}>
              ×{each}
            </option>
          ))}
        </select>
      </label>
      <button
        type="button"
        className={controls.button}
        disabled={!active}
        title="Show everything again"
        onClick={() => playback.leave()}
      >
        whole capture
      </button>
    </div>
  )
}

/** Calls over time, those that failed in another colour at the foot. */
const Density = memo(function Density({ density }: Pick<PlaybackState, 'density'>) {
  const most = density.reduce((top, { calls }) => Math.max(top, calls), 1)
  return (
    <svg className={styles.density} viewBox={`0 0 ${SLICES} 20`} preserveAspectRatio="none" aria-hidden="true">
      {density.map(({ calls, failed }, index) => {
        const height = calls === 0 ? 0 : 2 + (calls / most) * 16
        const foot = calls === 0 ? 0 : (failed / calls) * height
        return (
          <g key={index}>
            {calls > 0 && <rect x={index} y={20 - height} width={0.8} height={height} className={styles.calls} />}
            {failed > 0 && <rect x={index} y={20 - foot} width={0.8} height={foot} className={styles.failed} />}
          </g>
        )
      })}
    </svg>
  )
})
