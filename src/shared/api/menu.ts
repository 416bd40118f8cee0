/**
 * Actions of the desk that stand in the application's menu, by the names that the desk has for them. The desk says which
 * of them can be done, main which was chosen.
 */
export const MENU_ACTIONS = [
  'palette.open',
  'keys.show',
  'tour.start',
  'theme.next',
  'recording.toggle',
  'demo.toggle',
  'detail.place',
  'go.calls',
  'go.subscriptions',
  'go.statistics',
  'go.findings',
  'go.compose',
  'go.settings',
  'go.call',
  'go.back',
  'go.forward',
  'calls.filter',
  'calls.clear',
  'calls.clearFilter',
  'calls.export',
  'calls.replay',
  'calls.timeline',
  'calls.follow',
  'calls.groupOperation',
  'calls.groupBackend',
  'calls.groupClient',
  'calls.groupTool',
  'calls.ungroup',
  'call.resend',
  'call.edit',
  'call.compare',
  'call.mark',
  'call.comment',
  'call.pin',
  'call.copyCurl',
  'call.copySdk',
  'call.close',
  'compose.send',
  'compose.save',
  'captures.open',
  'backends.add',
  'backends.edit',
  'backends.turn',
  'backends.remove',
] as const
export type MenuAction = (typeof MENU_ACTIONS)[number]

export function isMenuAction(value: unknown): value is MenuAction {
  return typeof value === 'string' && (MENU_ACTIONS as readonly string[]).includes(value)
}

/** The application's menu, as the page sees it. */
export interface DesktopMenu {
  /** Tells which actions can be done now; the others are disabled. */
  offer(actions: readonly MenuAction[]): void
  /** `listener` is called with each action that is chosen, until the returned function is called. */
  onChosen(listener: (action: MenuAction) => void): () => void
}
