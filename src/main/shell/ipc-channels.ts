import type { CommandError, FeedName, Feeds } from '../../shared/api/contract'

/** The only channels there are. Page to main: `hello`, `command` (answered), `open`, `close`. Main to page: `feed`. */
export const CHANNEL = {
  hello: 'desk:hello',
  command: 'desk:command',
  open: 'desk:open-call',
  close: 'desk:close-call',
  feed: 'desk:feed',
} as const

/** What `command` is answered with: thrown errors would lose all but their message on the way. */
export type CommandAnswer = { ok: true; value: unknown } | { ok: false; error: CommandError }

export type FeedMessage = { [N in FeedName]: { feed: N; value: Feeds[N] } }[FeedName]
