import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { z } from 'zod'

/** Where the window was, in screen points. */
const WindowState = z.object({
  x: z.int().optional(),
  y: z.int().optional(),
  width: z.int().min(1),
  height: z.int().min(1),
  maximized: z.boolean().default(false),
  fullScreen: z.boolean().default(false),
})
export type WindowState = z.infer<typeof WindowState>

export interface Area {
  x: number
  y: number
  width: number
  height: number
}

const FIRST: WindowState = { width: 1440, height: 900, maximized: false, fullScreen: false }
export const SMALLEST = { width: 760, height: 480 }
/** So much of the window must be on the screens, or it is moved into one. */
const SEEN = 0.6
/** So much of the window must be on a screen, or its title bar could not be reached. */
const REACHABLE = { width: 160, height: 40 }

/** The state that was saved in `file`; the first one where there is none, or none that can be read. */
export function loadWindowState(file: string): WindowState {
  try {
    return WindowState.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    // Missing or damaged: a window in its first place is the remedy for both.
    return FIRST
  }
}

/** Throws where the file cannot be written. */
export function saveWindowState(file: string, state: WindowState): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  writeFileSync(`${file}.new`, JSON.stringify(state), { mode: 0o600 })
  renameSync(`${file}.new`, file)
}

/**
 * `state` as it fits the screens that are there now (`areas`: their work areas, the primary one first): no larger than the
 * screen, moved into it where most would be out of sight, and without a position when the title bar would be on none, so that
 * the system places it.
 */
export function fitToScreens(state: WindowState, areas: readonly Area[]): WindowState {
  const { x, y, maximized, fullScreen } = state
  const place = x === undefined || y === undefined ? undefined : { x, y }
  const area = place && areas.find((one) => reaches({ ...state, ...place }, one))
  const bounds = area ?? areas[0]
  const width = Math.max(SMALLEST.width, Math.min(state.width, bounds?.width ?? state.width))
  const height = Math.max(SMALLEST.height, Math.min(state.height, bounds?.height ?? state.height))
  const size = { width, height }
  return { ...(area && place && inSight({ ...place, ...size }, area, areas)), ...size, maximized, fullScreen }
}

/** Where `window` is, or is moved to, of which the title bar is in `area`. */
function inSight(window: Area, area: Area, areas: readonly Area[]): { x: number; y: number } {
  const seen = areas.reduce((sum, one) => sum + common(window, one), 0)
  if (seen >= SEEN * window.width * window.height) return { x: window.x, y: window.y }
  return {
    x: Math.max(area.x, Math.min(window.x, area.x + area.width - window.width)),
    y: Math.max(area.y, Math.min(window.y, area.y + area.height - window.height)),
  }
}

/** The size of what two have in common, in square points. */
function common(one: Area, other: Area): number {
  const width = Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x)
  const height = Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y)
  return Math.max(0, width) * Math.max(0, height)
}

function reaches(window: Area, screen: Area): boolean {
  const right = Math.min(window.x + window.width, screen.x + screen.width)
  const left = Math.max(window.x, screen.x)
  const onTop = window.y >= screen.y && window.y + REACHABLE.height <= screen.y + screen.height
  return onTop && right - left >= REACHABLE.width
}
