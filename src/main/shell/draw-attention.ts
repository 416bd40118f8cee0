import { app, BrowserWindow, Notification } from 'electron'
import type { Control } from '../control/control'
import { Attention, replayNotice } from './attention'
import { ICON } from './icon'
import { focusDeskWindow } from './window'

/**
 * While the desk is not looked at: a badge with the number of calls that have findings, where the system shows one (macOS,
 * and docks of Linux), and a notification when a replay has ended.
 */
export function drawAttention(control: Control): void {
  const attention = new Attention()
  control.connect({
    ready: () => true,
    push: (message) => {
      if (message.feed === 'calls') attention.calls(message.value.calls)
      if (message.feed === 'replays') {
        for (const ended of attention.replays(message.value.replays)) {
          if (!isLookedAt() && Notification.isSupported()) notify(replayNotice(ended))
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

/** Held until they are clicked or closed, since a collected one hears of no click. */
const shown = new Set<Notification>()

function notify(notice: { title: string; body: string }): void {
  // On macOS and Windows the icon is that of the application.
  const notification = new Notification({ ...notice, ...(process.platform === 'linux' && { icon: ICON }) })
  shown.add(notification)
  notification.on('close', () => shown.delete(notification))
  notification.on('click', () => {
    shown.delete(notification)
    const [window] = BrowserWindow.getAllWindows()
    if (window !== undefined) focusDeskWindow(window)
  })
  notification.show()
}

function isLookedAt(): boolean {
  return BrowserWindow.getFocusedWindow() !== null
}
