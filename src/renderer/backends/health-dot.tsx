import type { BackendHealth } from '../../shared/capture/events'
import styles from './health-dot.module.css'

export const HEALTH_WORDS: Record<BackendHealth, string> = {
  starting: 'starting',
  ready: 'ready',
  degraded: 'degraded',
  'needs-sign-in': 'in need of a sign-in',
  down: 'down',
}

/** Health as a shape and a colour: full, half, ring, pulse. */
export function HealthDot({ health }: { health: BackendHealth }) {
  return <span className={styles.dot} data-health={health} data-sign role="img" aria-label={health} title={health} />
}

/** Turned off: a ring with a stroke through it. */
export function OffSign() {
  return <span className={styles.dot} data-health="off" data-sign role="img" aria-label="off" title="turned off" />
}
