/** The only channels there are. Page to main: all but `feed`, of which only `command` is answered. Main to page: `feed`. */
export const CHANNEL = {
  /** A page has been loaded and begins. */
  hello: 'desk:hello',
  command: 'desk:command',
  open: 'desk:open-call',
  close: 'desk:close-call',
  feed: 'desk:feed',
  /** The page has taken a feed message. */
  taken: 'desk:taken',
} as const
