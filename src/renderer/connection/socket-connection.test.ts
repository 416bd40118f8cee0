import { beforeEach, describe, expect, it, vi } from 'vitest'
import { CommandFailure } from './command-failure'
import { SocketConnection, UNAUTHORIZED, type Socket } from './socket-connection'

class FakeSocket implements Socket {
  sent: unknown[] = []
  closed = false
  onopen: (() => void) | null = null
  onmessage: ((event: { data: unknown }) => void) | null = null
  onclose: ((event: { code: number }) => void) | null = null
  send(text: string) {
    this.sent.push(JSON.parse(text))
  }
  close() {
    this.closed = true
  }
  open() {
    this.onopen?.()
  }
  receive(message: unknown) {
    this.onmessage?.({ data: JSON.stringify(message) })
  }
  drop(code = 1006) {
    this.onclose?.({ code })
  }
}

let sockets: FakeSocket[]
let scheduled: { task: () => void; delayMs: number }[]
const onUnauthorized = vi.fn()

function connect() {
  return new SocketConnection({
    token: 'secret',
    connect: () => {
      const socket = new FakeSocket()
      sockets.push(socket)
      return socket
    },
    onUnauthorized,
    schedule: (task, delayMs) => scheduled.push({ task, delayMs }),
  })
}
const socket = (index = sockets.length - 1) => sockets[index]!
function welcome() {
  socket().open()
  socket().receive({ welcome: {} })
}

beforeEach(() => {
  sockets = []
  scheduled = []
  onUnauthorized.mockReset()
})

describe('SocketConnection', () => {
  it('says hello with the token before anything else, and holds commands until it is welcome', async () => {
    const connection = connect()
    const answer = connection.command('calls.search', { text: 'x' })
    socket().open()
    expect(socket().sent).toEqual([{ hello: { token: 'secret' } }])
    socket().receive({ welcome: {} })
    expect(socket().sent[1]).toEqual({ id: 1, command: 'calls.search', request: { text: 'x' } })
    socket().receive({ id: 1, ok: true, value: { calls: [3] } })
    await expect(answer).resolves.toEqual({ calls: [3] })
  })

  it('rejects with the code, message and hint of the server', async () => {
    const connection = connect()
    welcome()
    const answer = connection.command('backend.refresh', { backend: 'b' })
    socket().receive({ id: 1, ok: false, error: { code: 'not-found', message: 'no such backend', hint: 'look again' } })
    await expect(answer).rejects.toMatchObject({ code: 'not-found', message: 'no such backend', hint: 'look again' })
  })

  it('delivers feeds until the listener leaves', () => {
    const connection = connect()
    welcome()
    const listener = vi.fn()
    const leave = connection.onFeed('calls', listener)
    socket().receive({ feed: 'calls', value: { calls: [] } })
    leave()
    socket().receive({ feed: 'calls', value: { calls: [] } })
    expect(listener).toHaveBeenCalledTimes(1)
  })

  it('opens a call once for several users and closes it with the last', () => {
    const connection = connect()
    welcome()
    const first = connection.openCall(7)
    const second = connection.openCall(7)
    first()
    first()
    expect(socket().sent.slice(1)).toEqual([{ open: 7 }])
    second()
    expect(socket().sent.slice(1)).toEqual([{ open: 7 }, { close: 7 }])
  })

  it('reconnects with growing delays, opens calls again and tells listeners', () => {
    const connection = connect()
    const states: boolean[] = []
    connection.onConnection((connected) => states.push(connected))
    welcome()
    connection.openCall(7)
    socket().drop()
    scheduled[0]!.task()
    socket().drop()
    scheduled[1]!.task()
    welcome()
    expect(scheduled.map((entry) => entry.delayMs)).toEqual([250, 500])
    expect(states).toEqual([true, false, true])
    expect(socket().sent).toEqual([{ hello: { token: 'secret' } }, { open: 7 }])
  })

  it('fails the commands that were under way when the connection was lost', async () => {
    const connection = connect()
    welcome()
    const answer = connection.command('desk.status', {})
    socket().drop()
    await expect(answer).rejects.toBeInstanceOf(CommandFailure)
  })

  it('begins anew after a message that it cannot read', () => {
    connect()
    welcome()
    socket().onmessage?.({ data: 'no json' })
    expect(socket().closed).toBe(true)
  })

  it('stops for good when the token is refused', async () => {
    const connection = connect()
    const early = connection.command('desk.status', {})
    socket().open()
    socket().drop(UNAUTHORIZED)
    expect(onUnauthorized).toHaveBeenCalledTimes(1)
    expect(scheduled).toEqual([])
    await expect(early).rejects.toMatchObject({ code: 'unauthorized' })
    await expect(connection.command('desk.status', {})).rejects.toMatchObject({ code: 'unauthorized' })
  })
})
