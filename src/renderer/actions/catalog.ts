/** One thing that the desk can do: listed in the palette while it can be done, and by its key. */
export interface ActionInfo {
  title: string
  group: ActionGroup
  /** `KeyboardEvent.key`, with `Mod+` before it for ⌘ or Ctrl. Null: no key unless one is chosen. */
  key: string | null
  /** More words to find it by. */
  words?: string
}

export const ACTION_GROUPS = ['Go', 'Calls', 'One call', 'Compose', 'Captures', 'Backends', 'Desk'] as const
export type ActionGroup = (typeof ACTION_GROUPS)[number]

const action = (group: ActionGroup, title: string, key: string | null = null, words?: string): ActionInfo => ({
  title,
  group,
  key,
  ...(words === undefined ? {} : { words }),
})

/** Every action by its stable name, under which a chosen key is remembered. */
export const ACTIONS = {
  'palette.open': action('Desk', 'Commands…', 'Mod+k'),
  'keys.show': action('Desk', 'Keys…', '?', 'keyboard shortcuts'),
  'tour.start': action('Desk', 'Take the tour', null, 'help introduction first steps'),
  'theme.next': action('Desk', 'Switch the theme', null, 'dark light system'),
  'recording.toggle': action('Desk', 'Recording on or off', null, 'pause capture'),
  'demo.toggle': action('Desk', 'Start or stop the demo'),
  'detail.place': action('Desk', 'Detail below or beside the table', null, 'layout side'),

  'go.calls': action('Go', 'Calls of this run', null, 'live'),
  'go.subscriptions': action('Go', 'Subscriptions'),
  'go.statistics': action('Go', 'Statistics', null, 'percentiles error rate tools'),
  'go.findings': action('Go', 'Findings', null, 'rules protocol specification problems hidden'),
  'go.compose': action('Go', 'Compose', null, 'send request'),
  'go.settings': action('Go', 'Settings', 'Mod+,', 'preferences configuration'),
  'go.call': action('Go', 'Call by number…', '#'),
  'go.nextPart': action('Go', 'Next part of the window', 'F6', 'focus pane keyboard header rail table detail'),
  'go.back': action('Go', 'Back', 'Alt+ArrowLeft', 'history previous'),
  'go.forward': action('Go', 'Forward', 'Alt+ArrowRight', 'history next'),

  'calls.filter': action('Calls', 'Filter…', '/', 'search'),
  'calls.clearFilter': action('Calls', 'Clear the filter'),
  'calls.clear': action('Calls', 'Hide the calls so far', 'x', 'clear empty table'),
  'calls.next': action('Calls', 'Next call', 'j'),
  'calls.previous': action('Calls', 'Previous call', 'k'),
  'calls.first': action('Calls', 'First call', 'g'),
  'calls.last': action('Calls', 'Last call', 'G'),
  'calls.nextMarked': action('Calls', 'Next marked call', 'n', 'comment pin annotated'),
  'calls.previousMarked': action('Calls', 'Previous marked call', 'N', 'comment pin annotated'),
  'calls.groupOperation': action('Calls', 'Group by operation', null, 'rounds'),
  'calls.groupBackend': action('Calls', 'Group by backend', null, 'server'),
  'calls.groupClient': action('Calls', 'Group by client'),
  'calls.groupTool': action('Calls', 'Group by tool', null, 'prompt resource method'),
  'calls.ungroup': action('Calls', 'Do not group', null, 'ungroup flat'),
  'calls.collapseAll': action('Calls', 'Collapse all groups', null, 'fold'),
  'calls.expandAll': action('Calls', 'Expand all groups', null, 'unfold'),
  'calls.export': action('Calls', 'Export the calls…', null, 'save har html download'),
  'calls.replay': action('Calls', 'Replay the calls…', null, 'send again'),
  'calls.timeline': action('Calls', 'Show or hide the timeline'),
  'calls.follow': action('Calls', 'Pause or resume following the newest', '.'),

  'call.close': action('One call', 'Close what is open', 'Escape'),
  'call.stream': action('One call', 'Stream', '1'),
  'call.rounds': action('One call', 'Rounds', '2'),
  'call.request': action('One call', 'Request', '3'),
  'call.response': action('One call', 'Response', '4'),
  'call.headers': action('One call', 'Headers', '5'),
  'call.findings': action('One call', 'Findings', '6'),
  'call.raw': action('One call', 'Raw', '7'),
  'call.mark': action('One call', 'Mark or unmark', 'm', 'colour label flag'),
  'call.markRed': action('One call', 'Mark red', null, 'triangle'),
  'call.markOrange': action('One call', 'Mark orange', null, 'circle'),
  'call.markGreen': action('One call', 'Mark green', null, 'square'),
  'call.markBlue': action('One call', 'Mark blue', null, 'diamond'),
  'call.markViolet': action('One call', 'Mark violet', null, 'star purple'),
  'call.comment': action('One call', 'Comment…', 'c', 'note annotate'),
  'call.pin': action('One call', 'Pin above the table, or unpin', 'P'),
  'call.resend': action('One call', 'Send the call again', 'r', 'resend repeat'),
  'call.compare': action('One call', 'Compare with another call', null, 'side by side difference'),
  'call.copyCurl': action('One call', 'Copy as cURL'),
  'call.copySdk': action('One call', 'Copy as TypeScript (SDK)', null, 'snippet'),
  'call.edit': action('One call', 'Edit and send again…', null, 'resend compose'),
  'call.previousFrame': action('One call', 'Previous frame', '['),
  'call.nextFrame': action('One call', 'Next frame', ']'),

  'compose.send': action('Compose', 'Send the request', null, 'composed'),
  'compose.save': action('Compose', 'Save the request…', null, 'collection keep'),
  'compose.cancel': action('Compose', 'Cancel what was sent', null, 'stop abort'),
  'compose.again': action('Compose', 'Send again what was sent', null, 'resend repeat'),
  'compose.edit': action('Compose', 'Edit what was sent', null, 'duplicate copy resend'),

  'captures.open': action('Captures', 'Open a capture…', 'o'),
  'captures.play': action('Captures', 'Play or pause the capture', 'p'),
  'captures.slower': action('Captures', 'Play slower', '<'),
  'captures.faster': action('Captures', 'Play faster', '>'),

  'backends.add': action('Backends', 'Add a backend…', null, 'server url command import from another tool'),
  'backends.edit': action('Backends', 'Edit the backend…', null, 'change url command rename configuration'),
  'backends.turn': action('Backends', 'Turn the backend off or on', null, 'disable enable'),
  'backends.remove': action('Backends', 'Remove the backend…', null, 'delete'),
} as const satisfies Record<string, ActionInfo>

export type ActionId = keyof typeof ACTIONS

export const ACTION_IDS = Object.keys(ACTIONS) as ActionId[]

export function isActionId(value: string): value is ActionId {
  return Object.hasOwn(ACTIONS, value)
}
