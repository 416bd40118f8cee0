import { app, BrowserWindow, Notification } from 'electron'
import type { Control } from '../control/control'
import { Attention } from './attention'

/**
 * While the desk is not looked at: a badge with the number of calls that have findings, where the system shows one (macOS,
 * and docks of Linux), and a notification when a replay has ended. Names in it are as they were chosen on this machine.
 */
export function drawAttention(control: Control): void {
  const attention = new Attention()
  control.connect({
    ready: () => true,
    push: (message) => {
      if (message.feed === 'calls') attention.calls(message.value.calls)
      if (message.feed === 'replays') {
        for (const { name, state, problem } of attention.replays(message.value.replays)) {
          if (isLookedAt() || !Notification.isSupported()) continue
          const body = state === 'done' ? `“${name}” was sent again.` : `“${name}”: ${problem ?? 'it did not end well'}`
          const notification = new Notification({ title: state === 'done' ? 'Replay finished' : 'Replay failed', body })
          notification.on('click', () => BrowserWindow.getAllWindows()[0]?.focus())
          notification.show()
        }
      }
      show()
    },
  })
  app.on('browser-window-focus', show)

  function show(): void {
    if (isLookedAt()) attention.looked()
    app.setBadgeCount(attention.unseen)
  }
}

function isLookedAt(): boolean {
  return BrowserWindow.getFocusedWindow() !== null
}
