import { contextBridge, ipcRenderer, webUtils } from 'electron'
import type { Commands, CommandName, DeskConnection, FeedName, Feeds } from '../../shared/api/contract'
import type { MenuAction } from '../../shared/api/menu'
import type { CommandAnswer, FeedMessage } from '../control/control'
import { CHANNEL } from './ipc-channels'

const listeners: { [N in FeedName]: Set<(value: Feeds[N]) => void> } = {
  calls: new Set(),
  call: new Set(),
  status: new Set(),
  composed: new Set(),
  activity: new Set(),
  captures: new Set(),
  replays: new Set(),
}
const chosenListeners = new Set<(action: MenuAction) => void>()
/** How many parts of the page look at a call; main hears of the first and of the last. */
const openedCalls = new Map<number, number>()

function deliver<N extends FeedName>(message: { feed: N; value: Feeds[N] }): void {
  for (const listener of listeners[message.feed]) listener(message.value)
}

const connection = {
  async command<N extends CommandName>(name: N, request: Commands[N]['request']): Promise<Commands[N]['response']> {
    const answer = (await ipcRenderer.invoke(CHANNEL.command, name, request)) as CommandAnswer
    if (answer.ok) return answer.value as Commands[N]['response']
    throw answer.error
  },

  openCall(call: number): () => void {
    const users = openedCalls.get(call) ?? 0
    openedCalls.set(call, users + 1)
    if (users === 0) ipcRenderer.send(CHANNEL.open, call)
    let open = true
    return () => {
      if (!open) return
      open = false
      const left = (openedCalls.get(call) ?? 1) - 1
      if (left > 0) {
        openedCalls.set(call, left)
      } else {
        openedCalls.delete(call)
        ipcRenderer.send(CHANNEL.close, call)
      }
    }
  },

  onFeed<N extends FeedName>(name: N, listener: (value: Feeds[N]) => void): () => void {
    listeners[name].add(listener)
    return () => listeners[name].delete(listener)
  },

  // This carrier lives and dies with the window.
  onConnection(listener: (connected: boolean) => void): () => void {
    listener(true)
    return () => undefined
  },

  files: {
    chooseCaptures: async () => (await ipcRenderer.invoke(CHANNEL.chooseCaptures)) as string[],
    chooseTarget: async (name: string) => (await ipcRenderer.invoke(CHANNEL.chooseTarget, name)) as string | null,
    pathOf: (file: unknown) => webUtils.getPathForFile(file as Parameters<typeof webUtils.getPathForFile>[0]),
  },

  menu: {
    offer: (actions: readonly MenuAction[]) => ipcRenderer.send(CHANNEL.offer, actions),
    onChosen(listener: (action: MenuAction) => void): () => void {
      chosenListeners.add(listener)
      return () => chosenListeners.delete(listener)
    },
  },
} satisfies DeskConnection

ipcRenderer.on(CHANNEL.feed, (_event, message: FeedMessage) => {
  ipcRenderer.send(CHANNEL.taken)
  deliver(message)
})
ipcRenderer.on(CHANNEL.chosen, (_event, action: MenuAction) => {
  for (const listener of chosenListeners) listener(action)
})
contextBridge.exposeInMainWorld('sluice', connection)
ipcRenderer.send(CHANNEL.hello)
