import type { TimelineKind } from '../../shared/capture/record'

/** What a mark looks like: a shape and, by the style sheet, its colours. No two kinds differ by colour alone. */
export type MarkLook =
  'progress' | 'tick' | 'log' | 'log-warning' | 'log-error' | 'server-request' | 'answer' | 'result' | 'cross' | 'ring'
export type LinkLook = 'progress' | 'log' | 'round' | 'plain'

export interface Shape {
  /** An SVG path around the spot of the mark, in pixels. */
  path: string
  /** What answers to the pointer, from the spot. */
  half: number
  top: number
  bottom: number
}

/** Beside the lane: servers like to log and report progress at the same moment. */
const LOG: Shape = { path: 'M-4.5 0l4.5 -8.5 4.5 8.5z', half: 4.5, top: -8.5, bottom: 0 }

export const SHAPES: Readonly<Record<MarkLook, Shape>> = {
  progress: { path: circle(4.5), half: 4.5, top: -4.5, bottom: 4.5 },
  tick: { path: 'M0 -8v16', half: 2, top: -8, bottom: 8 },
  log: LOG,
  'log-warning': LOG,
  'log-error': LOG,
  'server-request': { path: 'M-5.5 -5h11l-5.5 10z', half: 5.5, top: -5, bottom: 5 },
  answer: { path: 'M-5.5 5h11l-5.5 -10z', half: 5.5, top: -5, bottom: 5 },
  result: {
    path: 'M-3 -4.5h6a1.5 1.5 0 0 1 1.5 1.5v6a1.5 1.5 0 0 1 -1.5 1.5h-6a1.5 1.5 0 0 1 -1.5 -1.5v-6a1.5 1.5 0 0 1 1.5 -1.5z',
    half: 4.5,
    top: -4.5,
    bottom: 4.5,
  },
  cross: { path: 'M-4.5 -4.5l9 9m0 -9l-9 9', half: 4.5, top: -4.5, bottom: 4.5 },
  ring: { path: circle(4), half: 4, top: -4, bottom: 4 },
}
export const MARK_LOOKS = Object.keys(SHAPES) as MarkLook[]
export const LINK_LOOKS: readonly LinkLook[] = ['progress', 'log', 'round', 'plain']

/** How far a mark and its outline reach from its spot, at most. */
export const REACH = 8

function circle(radius: number): string {
  const across = 2 * radius
  return `M${-radius} 0a${radius} ${radius} 0 1 0 ${across} 0a${radius} ${radius} 0 1 0 ${-across} 0z`
}

export function markLook(kind: TimelineKind, level: string | undefined): MarkLook {
  switch (kind) {
    case 'progress':
    case 'server-request':
    case 'answer':
    case 'result':
      return kind
    case 'ping':
    case 'comment':
      return 'tick'
    case 'error':
    case 'unreadable':
      return 'cross'
    case 'log':
      if (level === 'warning') return 'log-warning'
      return ['error', 'critical', 'alert', 'emergency'].includes(level ?? '') ? 'log-error' : 'log'
    default:
      return 'ring'
  }
}

/** Where a mark is across its lane, from the middle of the lane. */
export function besideLane(look: MarkLook, leg: 'client' | 'backend'): number {
  if (SHAPES[look] !== LOG) return 0
  return leg === 'client' ? -7 : 15
}

export function linkLook(kind: TimelineKind): LinkLook {
  if (kind === 'progress' || kind === 'log') return kind
  return kind === 'server-request' || kind === 'answer' ? 'round' : 'plain'
}
