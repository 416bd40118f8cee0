import { RotateCcw } from 'lucide-react'
import type { ReplayStatus } from '../../shared/api/replay'
import shell from '../shell/shell.module.css'
import { formatCount } from '../text/format'
import { Visible } from '../text/visible'
import { visibleString } from '../text/visible-text'

interface ReplayItemsProps {
  replays: readonly ReplayStatus[]
  current: string | null
  onShow: (replay: string) => void
}

/** The replays of this run, in the rail. */
export function ReplayItems({ replays, current, onShow }: ReplayItemsProps) {
  return (
    <ul>
      {replays.map((replay) => {
        const on = replay.id === current || undefined
        return (
          <li key={replay.id}>
            <button
              type="button"
              className={shell.item}
              data-on={on}
              aria-current={on}
              data-testid="replay-item"
              title={visibleString(`replay of ${replay.name}`)}
              onClick={() => onShow(replay.id)}
            >
              <RotateCcw size={12} aria-hidden />
              <span className={shell.itemName}>
                <Visible text={replay.name} />
              </span>
              <small>{words(replay)}</small>
            </button>
          </li>
        )
      })}
    </ul>
  )
}

function words({ state, done, total, counts }: ReplayStatus): string {
  if (state === 'done') {
    const differ = counts.different + counts.failed
    return differ === 0 ? 'same' : `${formatCount(differ)} differ`
  }
  if (state === 'running' || state === 'paused') return `${Math.round((done / Math.max(1, total)) * 100)} %`
  return state
}
