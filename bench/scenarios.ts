/** Tools of the measured backend. */
export const TOOLS = {
  small: 'small',
  large: 'large',
  progress: 'progress',
  rounds: 'rounds',
  /** For the desk: one body of 5 MB, 10 000 frames as fast as they go, and a minute of 100 frames a second. */
  huge: 'huge',
  flood: 'flood',
  minute: 'minute',
} as const
export type Tool = keyof typeof TOOLS

export const PROGRESS_FRAMES = 100
export const FLOOD_FRAMES = 10_000
export const MINUTE = { frames: 6_000, apartMs: 10 } as const

export interface Scenario {
  name: string
  tool: Tool
  connections: number
  /** The measured time of one run. */
  seconds: number
}

export const SCENARIOS: readonly Scenario[] = [
  { name: 'small JSON', tool: 'small', connections: 1, seconds: 1.5 },
  { name: 'small JSON', tool: 'small', connections: 8, seconds: 1.5 },
  { name: 'small JSON', tool: 'small', connections: 32, seconds: 2 },
  { name: '100 KB JSON', tool: 'large', connections: 8, seconds: 1.5 },
  { name: 'SSE, 100 progress frames', tool: 'progress', connections: 1, seconds: 2 },
  { name: 'three-round chain', tool: 'rounds', connections: 1, seconds: 1.5 },
  { name: 'three-round chain', tool: 'rounds', connections: 8, seconds: 1.5 },
]

/** One run of the load generator. */
export interface Order {
  /** Endpoint to post to. */
  url: string
  /** The tool's name at that endpoint. */
  toolName: string
  tool: Tool
  connections: number
  seconds: number
}

/** What one run found. A call is one operation: a chain of three rounds counts once. Times are milliseconds. */
export interface Measured {
  calls: number
  /** With those of the warm-up. */
  allCalls: number
  failures: number
  callsPerSecond: number
  p50: number
  p99: number
  /** Of single frames, from the backend's write to the client's read. */
  frameP50?: number
  frameP99?: number
}
