import type { CommandError, CommandName, FeedName, Feeds } from '../../shared/api/contract'

/** What the desk sends over the WebSocket: first `hello`, then the rest in any order. */
export type ClientMessage =
  | { hello: { token: string } }
  | { id: number; command: CommandName; request: unknown }
  | { open: number }
  | { close: number }

type FeedMessage = { [N in FeedName]: { feed: N; value: Feeds[N] } }[FeedName]

/** What the server sends: `welcome` once, answers by id, and feeds. */
export type ServerMessage =
  | { welcome: Record<string, never> }
  | { id: number; ok: true; value: unknown }
  | { id: number; ok: false; error: CommandError }
  | FeedMessage

const FEEDS: readonly string[] = [
  'calls',
  'call',
  'status',
  'composed',
  'activity',
  'captures',
  'replays',
] satisfies FeedName[]

/** Looks at the envelope only: what is inside comes from our own main process. */
export function isServerMessage(value: unknown): value is ServerMessage {
  if (typeof value !== 'object' || value === null) return false
  if ('welcome' in value) return true
  if ('feed' in value) return typeof value.feed === 'string' && FEEDS.includes(value.feed) && 'value' in value
  if (!('id' in value) || typeof value.id !== 'number' || !('ok' in value)) return false
  return value.ok === true || (value.ok === false && 'error' in value && typeof value.error === 'object')
}
