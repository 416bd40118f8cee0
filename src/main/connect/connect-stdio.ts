import type { Readable, Writable } from 'node:stream'
import { ErrorCode } from '../../shared/protocol/errors'
import { isObject } from '../../shared/protocol/json-rpc'
import { kindOf, parsed } from '../backends/messages'
import { LineSplitter, type OversizedLine } from '../backends/line-splitter'
import { cancelledKeyOf, rawIdOf, readClientLine } from './client-line'
import { GatewayLink, type Recovery } from './gateway-link'
import { LegacyCarrier } from './legacy-carrier'
import { LineOutput } from './line-output'
import { ModernCarrier } from './modern-carrier'

export interface ConnectOptions {
  /** The client's lines. */
  input: Readable
  /** Only MCP goes there. */
  output: Writable
  url: URL
  version: string
  /** See `LinkOptions`. */
  via?: string
  /** See `LinkOptions`. */
  recover?: (url: URL) => Promise<Recovery>
  /** For people, on stderr. */
  tell(text: string): void
  /** Aborted: what is in flight is not waited for. */
  signal: AbortSignal
  /** How long requests in flight may take once the input has ended. */
  finishMs?: number
}

const FINISH_MS = 10_000
/** A gateway takes less by default; this bounds the memory that one line can cost. */
const MOST_LINE_BYTES = 268_435_456

/**
 * A stdio server that carries each line to a gateway and each message of the gateway back, in both eras, with the texts
 * as they are. Resolves when the input has ended and what was in flight is answered, or out of time.
 */
export async function connectStdio(options: ConnectOptions): Promise<void> {
  const { input, url, version, via, recover, tell, signal } = options
  const output = new LineOutput(options.output)
  const link = new GatewayLink({
    url,
    version,
    output,
    ...(via === undefined ? {} : { via }),
    ...(recover === undefined ? {} : { recover }),
  })
  const modern = new ModernCarrier(link, output)
  const legacy = new LegacyCarrier(link, output, tell)

  const carry = (text: string): void => {
    if (text.trim() === '') return
    const line = readClientLine(text)
    if (line === undefined) {
      refuse(text, output, tell)
      return
    }
    const only = line.messages.length === 1 ? line.messages[0] : undefined
    const cancelled = only && cancelledKeyOf(only)
    if (cancelled !== undefined && (modern.cancel(cancelled) || line.era === 'modern')) return
    if (line.era === 'modern') modern.carry(line)
    else legacy.carry(line)
  }
  const splitter = new LineSplitter(MOST_LINE_BYTES, carry, (line) => refuseOversized(line, output, tell))

  await new Promise<void>((resolve) => {
    input.on('data', (chunk: Buffer) => splitter.push(chunk))
    input.on('end', () => {
      splitter.end()
      resolve()
    })
    input.on('error', (error) => {
      tell(`the input cannot be read: ${error.message}`)
      resolve()
    })
    input.on('close', resolve)
    signal.addEventListener('abort', () => resolve(), { once: true })
    if (signal.aborted) resolve()
  })
  await within(options.finishMs ?? FINISH_MS, signal, Promise.all([modern.settled(), legacy.settled()]))
  modern.close()
  await legacy.close()
  await output.flushed()
  await link.close()
}

/** A line that is no message: a request is told so under its id. */
function refuse(text: string, output: LineOutput, tell: (text: string) => void): void {
  const message = parsed(text)
  const id = message !== undefined && kindOf(message) === undefined ? rawIdOf(text) : undefined
  if (id !== undefined) {
    const error = { code: ErrorCode.InvalidRequest, message: 'Invalid request: the line is no JSON-RPC message.' }
    output.write(`{"jsonrpc":"2.0","id":${id},"error":${JSON.stringify(error)}}`)
  }
  tell(`a line of the client is no JSON-RPC message: ${text.slice(0, 200)}`)
}

/** The id stands at one of the two ends that are kept, where messages are written in the usual order. */
function refuseOversized({ bytes, head, tail }: OversizedLine, output: LineOutput, tell: (text: string) => void): void {
  const words = `a line of ${bytes} bytes is more than can be carried (${MOST_LINE_BYTES})`
  const id =
    /^\s*\{[^{[]*?"id"\s*:\s*("(?:[^"\\]|\\.)*"|-?\d+)/.exec(head)?.[1] ??
    /"id"\s*:\s*("(?:[^"\\]|\\.)*"|-?\d+)\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/.exec(tail)?.[1]
  const error = { code: ErrorCode.InvalidRequest, message: `Invalid request: ${words}.` }
  const line = `{"jsonrpc":"2.0","id":${id ?? 'null'},"error":${JSON.stringify(error)}}`
  if (id !== undefined && isObject(parsed(line))) output.write(line)
  tell(words)
}

/** Resolves with the work, when the time is over, or when the signal is aborted. */
function within(ms: number, signal: AbortSignal, work: Promise<unknown>): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal.addEventListener('abort', done)
    if (signal.aborted) done()
    void work.then(done)
  })
}
