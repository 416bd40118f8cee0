import { RotateCcw } from 'lucide-react'
import type { ReplayStatus } from '../../shared/api/replay'
import { RailItem } from '../shell/rail-item'
import { formatCount } from '../text/format'
import { Visible } from '../text/visible'

interface ReplayItemsProps {
  replays: readonly ReplayStatus[]
  current: string | null
  onShow: (replay: string) => void
}

/** The replays of this run, in the rail. */
export function ReplayItems({ replays, current, onShow }: ReplayItemsProps) {
  return (
    <ul>
      {replays.map((replay) => (
        <li key={replay.id}>
          <RailItem
            sign={<RotateCcw size={12} aria-hidden />}
            name={<Visible text={replay.name} />}
            words={words(replay)}
            on={replay.id === current}
            title={`replay of ${replay.name}`}
            testId="replay-item"
            named
            onClick={() => onShow(replay.id)}
          />
        </li>
      ))}
    </ul>
  )
}

function words({ state, stopped, done, total, counts }: ReplayStatus): string {
  if (state === 'done') {
    const differ = counts.different + counts.failed
    return differ === 0 ? (stopped ? 'stopped' : 'same') : `${formatCount(differ)} differ`
  }
  if (state === 'running' || state === 'paused') return `${Math.round((done / Math.max(1, total)) * 100)} %`
  return state
}
