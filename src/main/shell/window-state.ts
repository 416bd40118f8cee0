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
 * screen, and without a position when the title bar would be on none, so that the system places it.
 */
export function fitToScreens(state: WindowState, areas: readonly Area[]): WindowState {
  const { x, y, maximized, fullScreen } = state
  const place = x === undefined || y === undefined ? undefined : { x, y }
  const area = place && areas.find((one) => reaches({ ...state, ...place }, one))
  const bounds = area ?? areas[0]
  const width = Math.max(SMALLEST.width, Math.min(state.width, bounds?.width ?? state.width))
  const height = Math.max(SMALLEST.height, Math.min(state.height, bounds?.height ?? state.height))
  return { ...(area === undefined ? {} : place), width, height, maximized, fullScreen }
}

function reaches(window: Area, screen: Area): boolean {
  const right = Math.min(window.x + window.width, screen.x + screen.width)
  const left = Math.max(window.x, screen.x)
  const onTop = window.y >= screen.y && window.y + REACHABLE.height <= screen.y + screen.height
  return onTop && right - left >= REACHABLE.width
}
