import { connect, type Socket } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { modernRequest } from '../peers/raw-client'
import { serve } from '../peers/scripted-server'
import { startBackend, startGateway } from './running-gateway'

/** A request for the endpoint of one backend, as it goes over the wire; `framing` says how its body ends. */
function wire(port: number, { body, headers }: ReturnType<typeof modernRequest>, framing?: string): string {
  const fields = { host: `127.0.0.1:${port}`, ...headers }
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`)
  const end = framing ?? `content-length: ${Buffer.byteLength(body)}`
  return `POST /mcp/b HTTP/1.1\r\n${lines.join('')}${end}\r\n\r\n${framing === undefined ? body : ''}`
}

interface Peer {
  socket: Socket
  received: () => string
  closed: Promise<void>
}

async function peer(port: number): Promise<Peer> {
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  let text = ''
  socket.setEncoding('utf8').on('data', (piece: string) => (text += piece))
  const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()))
  socket.on('error', () => undefined)
  await new Promise<void>((resolve) => socket.on('connect', () => resolve()))
  return { socket, received: () => text, closed }
}

const silent = serve({ tools: { t: { call: () => undefined } } })

describe('calls behind each other on one connection', () => {
  it('all end when the client leaves, also those whose turn to be answered had not come', async () => {
    const backend = await startBackend(silent)
    const { port, tap } = await startGateway({ b: backend })
    const { socket } = await peer(port)
    const requests = [1, 2, 3].map((id) =>
      wire(port, modernRequest('tools/call', { name: 't', arguments: {} }, { id })),
    )
    socket.write(requests.join(''))
    const asked = [await backend.next('tools/call'), await backend.next('tools/call'), await backend.next('tools/call')]
    socket.resetAndDestroy()
    await Promise.all(asked.map((request) => request.abandoned))
    const ended = await tap.until('call.ended', 3)
    expect(ended.map(({ outcome, by }) => `${outcome} by ${by}`)).toEqual(Array(3).fill('cancelled by client'))
  })
})

describe('a body that is refused for its size', () => {
  const SIZE = 8_000_000
  const request = modernRequest('tools/call', { name: 't', arguments: {} })

  it.each([
    ['its length', `content-length: ${SIZE}`],
    ['what arrives', 'transfer-encoding: chunked'],
  ])('by %s is answered so that a client that first sends all of it reads why', async (_by, framing) => {
    const { port } = await startGateway({ b: await startBackend(silent) }, { maxBodyBytes: 2_048 })
    const { socket, received, closed } = await peer(port)
    socket.pause()
    socket.write(wire(port, request, framing))
    const body = 'x'.repeat(SIZE)
    const rest = framing.startsWith('content') ? body : `${SIZE.toString(16)}\r\n${body}\r\n0\r\n\r\n`
    await new Promise((resolve) => socket.write(rest, resolve))
    socket.resume()
    await closed
    expect(received()).toMatch(/^HTTP\/1\.1 413 [^]*\r\nconnection: close\r\n[^]*gateway\.maxBodyBytes/)
  })

  it('closes the connection of a client that does not stop', async () => {
    const { port } = await startGateway({ b: await startBackend(silent) }, { maxBodyBytes: 2_048 })
    const { socket, received, closed } = await peer(port)
    socket.write(wire(port, request, 'transfer-encoding: chunked'))
    const more = setInterval(() => socket.write(`1000\r\n${'x'.repeat(4_096)}\r\n`), 20)
    await closed
    clearInterval(more)
    expect(received()).toMatch(/^HTTP\/1\.1 413 /)
  })
})
