import { ipcMain, type IpcMainEvent, type WebContents } from 'electron'
import { isMenuAction, type MenuAction } from '../../shared/api/menu'
import type { CommandAnswer, ConnectedDesk, Control, DeskSink } from '../control/control'
import { CHANNEL } from './ipc-channels'
import { chooseCaptures, chooseTarget } from './file-dialogs'
import { isTrustedSender } from './security'

/** Feed messages under way to a page. A page that hangs takes none, and then none are sent. */
const MOST_UNDER_WAY = 16

interface Connected {
  desk: ConnectedDesk
  underWay: number
}

/**
 * Connects windows to `control`; `onOffer` hears what can be done from the menu. Messages of anything but the main frame of our own page are
 * answered with a refusal.
 */
export function carryOverIpc(control: Control, onOffer: (actions: ReadonlySet<MenuAction>) => void): void {
  const connected = new Map<WebContents, Connected>()

  const disconnect = (contents: WebContents): void => {
    connected.get(contents)?.desk.close()
    connected.delete(contents)
    onOffer(new Set())
  }
  const connect = (contents: WebContents): void => {
    // A page that says hello again was loaded anew; what the one before had opened is gone.
    if (connected.has(contents)) disconnect(contents)
    else contents.once('destroyed', () => disconnect(contents))
    const sink: DeskSink = {
      ready: () => entry.underWay < MOST_UNDER_WAY,
      push: (message) => {
        if (contents.isDestroyed()) return
        entry.underWay++
        contents.send(CHANNEL.feed, message)
      },
    }
    const entry: Connected = { desk: control.connect(sink), underWay: 0 }
    connected.set(contents, entry)
  }
  const fromOwnPage = (handle: (event: IpcMainEvent, argument: unknown) => void) => {
    return (event: IpcMainEvent, argument: unknown): void => {
      if (isTrustedSender(event)) handle(event, argument)
      else console.error(`sluice: a message of ${event.senderFrame?.url ?? 'a frame that is gone'} was ignored`)
    }
  }

  ipcMain.handle(CHANNEL.command, (event, name: unknown, request: unknown): Promise<CommandAnswer> | CommandAnswer => {
    const desk = isTrustedSender(event) ? connected.get(event.sender)?.desk : undefined
    return desk ? desk.command(name, request) : REFUSED
  })
  ipcMain.handle(CHANNEL.chooseCaptures, (event) => (isTrustedSender(event) ? chooseCaptures(event.sender) : []))
  ipcMain.handle(CHANNEL.chooseTarget, (event, name: unknown) =>
    isTrustedSender(event) && typeof name === 'string' ? chooseTarget(event.sender, name) : null,
  )
  ipcMain.on(
    CHANNEL.hello,
    fromOwnPage((event) => connect(event.sender)),
  )
  ipcMain.on(
    CHANNEL.open,
    fromOwnPage((event, call) => connected.get(event.sender)?.desk.openCall(call)),
  )
  ipcMain.on(
    CHANNEL.close,
    fromOwnPage((event, call) => connected.get(event.sender)?.desk.closeCall(call)),
  )
  ipcMain.on(
    CHANNEL.offer,
    fromOwnPage((_event, actions) => onOffer(new Set(Array.isArray(actions) ? actions.filter(isMenuAction) : []))),
  )
  ipcMain.on(
    CHANNEL.taken,
    fromOwnPage((event) => {
      const entry = connected.get(event.sender)
      if (entry && entry.underWay > 0) entry.underWay--
    }),
  )
}

const REFUSED: CommandAnswer = {
  ok: false,
  error: { code: 'unauthorized', message: 'Only the desk itself may give commands.' },
}
