import type { CommandError, CommandName, Commands, DeskConnection, FeedName, Feeds } from '../../shared/api/contract'
import { CommandFailure } from './command-failure'
import { isServerMessage, type ClientMessage, type ServerMessage } from './socket-messages'

/** Close code of the server when the token is missing or wrong. */
export const UNAUTHORIZED = 4401
const FIRST_DELAY_MS = 250
const LONGEST_DELAY_MS = 5_000

/** The part of `WebSocket` that is used. */
export interface Socket {
  send(text: string): void
  close(): void
  onopen: (() => void) | null
  onmessage: ((event: { data: unknown }) => void) | null
  onclose: ((event: { code: number }) => void) | null
}

export interface SocketConnectionOptions {
  token: string
  connect: () => Socket
  /** Called once when the server does not accept the token; there is no further attempt. */
  onUnauthorized: () => void
  /** Runs `task` after `delayMs`. */
  schedule: (task: () => void, delayMs: number) => void
}

interface Pending {
  message: ClientMessage
  resolve: (value: never) => void
  reject: (reason: CommandFailure) => void
}

type Listeners = { [N in FeedName]: Set<(value: Feeds[N]) => void> }

/**
 * The desk's connection over the loopback WebSocket. Lost connections are re-established with growing delays; commands
 * given meanwhile wait, commands under way when it was lost fail, and opened calls are opened again.
 */
export class SocketConnection implements DeskConnection {
  readonly #options: SocketConnectionOptions
  readonly #listeners: Listeners = {
    calls: new Set(),
    call: new Set(),
    status: new Set(),
    composed: new Set(),
    activity: new Set(),
    captures: new Set(),
    replays: new Set(),
  }
  readonly #connectionListeners = new Set<(connected: boolean) => void>()
  readonly #opened = new Map<number, number>()
  readonly #underWay = new Map<number, Pending>()
  #waiting: Pending[] = []
  #socket: Socket | undefined
  #welcomed = false
  #refused = false
  #attempts = 0
  #nextId = 1

  constructor(options: SocketConnectionOptions) {
    this.#options = options
    this.#connect()
  }

  command<N extends CommandName>(name: N, request: Commands[N]['request']): Promise<Commands[N]['response']> {
    return new Promise((resolve, reject) => {
      const id = this.#nextId++
      const pending: Pending = { message: { id, command: name, request }, resolve, reject }
      if (this.#refused) reject(new CommandFailure(NOT_AUTHORIZED))
      else if (this.#welcomed) this.#sendCommand(id, pending)
      else this.#waiting.push(pending)
    })
  }

  openCall(call: number): () => void {
    const users = this.#opened.get(call) ?? 0
    this.#opened.set(call, users + 1)
    if (users === 0) this.#send({ open: call })
    let open = true
    return () => {
      if (!open) return
      open = false
      const left = (this.#opened.get(call) ?? 1) - 1
      if (left > 0) {
        this.#opened.set(call, left)
      } else {
        this.#opened.delete(call)
        this.#send({ close: call })
      }
    }
  }

  onFeed<N extends FeedName>(name: N, listener: (value: Feeds[N]) => void): () => void {
    this.#listeners[name].add(listener)
    return () => this.#listeners[name].delete(listener)
  }

  onConnection(listener: (connected: boolean) => void): () => void {
    this.#connectionListeners.add(listener)
    return () => this.#connectionListeners.delete(listener)
  }

  #connect(): void {
    const socket = this.#options.connect()
    this.#socket = socket
    socket.onopen = () => socket.send(JSON.stringify({ hello: { token: this.#options.token } } satisfies ClientMessage))
    socket.onmessage = (event) => this.#receive(event.data)
    socket.onclose = (event) => this.#closed(event.code)
  }

  #receive(data: unknown): void {
    const message = readServerMessage(data)
    if (message === undefined) {
      // Neither side can tell what is missing after a message that cannot be read: begin anew.
      this.#socket?.close()
      return
    }
    if ('welcome' in message) this.#welcome()
    else if ('feed' in message) this.#deliver(message)
    else this.#answer(message)
  }

  #welcome(): void {
    this.#welcomed = true
    this.#attempts = 0
    for (const call of this.#opened.keys()) this.#send({ open: call })
    const waiting = this.#waiting
    this.#waiting = []
    for (const pending of waiting) if ('id' in pending.message) this.#sendCommand(pending.message.id, pending)
    for (const listener of this.#connectionListeners) listener(true)
  }

  #deliver<N extends FeedName>(message: { feed: N; value: Feeds[N] }): void {
    for (const listener of this.#listeners[message.feed]) listener(message.value)
  }

  #answer(message: { id: number; ok: true; value: unknown } | { id: number; ok: false; error: CommandError }): void {
    const pending = this.#underWay.get(message.id)
    if (pending === undefined) return
    this.#underWay.delete(message.id)
    if (message.ok) pending.resolve(message.value as never)
    else pending.reject(new CommandFailure(message.error))
  }

  #closed(code: number): void {
    const wasConnected = this.#welcomed
    this.#welcomed = false
    this.#socket = undefined
    this.#refused = code === UNAUTHORIZED
    const failed = this.#refused ? [...this.#underWay.values(), ...this.#waiting] : [...this.#underWay.values()]
    this.#underWay.clear()
    if (this.#refused) this.#waiting = []
    for (const pending of failed) pending.reject(new CommandFailure(this.#refused ? NOT_AUTHORIZED : CONNECTION_LOST))
    if (wasConnected) for (const listener of this.#connectionListeners) listener(false)
    if (this.#refused) {
      this.#options.onUnauthorized()
      return
    }
    const delay = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** this.#attempts)
    // The first failure to connect is news as well: the desk must not wait in silence.
    if (!wasConnected && this.#attempts === 0) for (const listener of this.#connectionListeners) listener(false)
    this.#attempts++
    this.#options.schedule(() => this.#connect(), delay)
  }

  #sendCommand(id: number, pending: Pending): void {
    this.#underWay.set(id, pending)
    this.#send(pending.message)
  }

  #send(message: ClientMessage): void {
    if (this.#welcomed) this.#socket?.send(JSON.stringify(message))
  }
}

const CONNECTION_LOST: CommandError = {
  code: 'failed',
  message: 'The connection to Sluice was lost before the answer came.',
  hint: 'It is being re-established; try again.',
}
const NOT_AUTHORIZED: CommandError = { code: 'unauthorized', message: 'Sluice did not accept the token of this page.' }

function readServerMessage(data: unknown): ServerMessage | undefined {
  if (typeof data !== 'string') return undefined
  let value: unknown
  try {
    value = JSON.parse(data)
  } catch {
    return undefined
  }
  return isServerMessage(value) ? value : undefined
}
