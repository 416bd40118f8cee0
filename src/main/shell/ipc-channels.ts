/**
 * The only channels there are. Page to main: all but `feed` and `chosen`, of which `command` and the two dialogs are
 * answered. Main to page: those two.
 */
export const CHANNEL = {
  /** A page has been loaded and begins. */
  hello: 'desk:hello',
  command: 'desk:command',
  open: 'desk:open-call',
  close: 'desk:close-call',
  feed: 'desk:feed',
  /** The page has taken a feed message. */
  taken: 'desk:taken',
  /** The dialogs of the system: files to open, and where to write one. */
  chooseCaptures: 'desk:choose-captures',
  chooseTarget: 'desk:choose-target',
  /** What can be done from the application's menu, and what was chosen there. */
  offer: 'desk:offer',
  chosen: 'desk:chosen',
} as const
