import type { StdioBackendConfig } from '../../shared/config/schema'
import type { JsonObject } from '../../shared/protocol/json-rpc'
import type { Era } from '../../shared/protocol/revisions'
import type { Initialized, SessionOpening, UpstreamPart } from './backend'
import type { BackendTiming } from './backend-options'
import { ChannelSession } from './channel-session'
import { MessageChannel } from './message-channel'
import { negotiate, type Negotiated } from './negotiation'
import { ServerProcess } from './server-process'
import type { ProcessRegistry } from './process-registry'

export interface StdioConnectionOptions {
  config: StdioBackendConfig
  /** For people. */
  commandLine: string
  environment: Readonly<Record<string, string | undefined>>
  opening: SessionOpening
  expected: Era | undefined
  timing: BackendTiming
  version: string
  maxMessageBytes: number
  processes: ProcessRegistry | undefined
  onStderr(line: string): void
  onNoise(text: string): void
  /** It is silent though calls wait, in words that follow "it"; undefined when it speaks again. */
  onSilence(reason: string | undefined, connection: StdioConnection): void
  /** Once, when the process has ended, asked or not; `how` follows "the process". */
  onEnd(how: string, connection: StdioConnection): void
}

/** A server process, the channel on its streams, and what it turned out to be. */
export class StdioConnection {
  readonly channel: MessageChannel
  /** Never rejects. */
  readonly negotiated: Promise<Negotiated>
  readonly #options: StdioConnectionOptions
  readonly #process: ServerProcess
  readonly #key = Symbol('process')
  readonly #sessions = new Set<ChannelSession>()
  #how: string | undefined

  constructor(options: StdioConnectionOptions) {
    this.#options = options
    const { config, environment, timing, maxMessageBytes, version } = options
    this.channel = new MessageChannel({
      send: (text) => this.#process.write(oneLine(text)),
      form: 'line',
      maxMessageBytes,
      version,
      noise: options.onNoise,
      silence: {
        quietMs: timing.quietMs,
        answerMs: timing.discoverMs,
        changed: (reason) => options.onSilence(reason, this),
      },
    })
    this.#process = new ServerProcess({
      command: config.command,
      args: config.args,
      cwd: config.cwd,
      environment,
      maxMessageBytes,
      stopWaitMs: timing.stopWaitMs,
      onLine: (line) => this.#line(line),
      onOversized: ({ bytes, head, tail }) => this.channel.receiveOversized(bytes, `${head}\n${tail}`),
      onStderr: options.onStderr,
      onEnd: (how) => this.#ended(how),
    })
    this.#register()
    const pinned = config.era === 'auto' ? undefined : config.era
    this.negotiated = negotiate({ ...options, channel: this.channel, pinned, sent: this.sent() }).catch(
      (error: unknown) => ({ kind: 'failed', reason: error instanceof Error ? error.message : String(error) }),
    )
  }

  get pid(): number | undefined {
    return this.#process.pid
  }

  /** How the process ended; undefined while it runs. */
  get how(): string | undefined {
    return this.#how
  }

  sent(): UpstreamPart & { kind: 'sent' } {
    return { kind: 'sent', method: 'stdio', url: this.#options.commandLine, headers: [] }
  }

  /** A session on this process, and what its client declared where it has one; `ended` hears when it is closed. */
  session(
    initialized: Initialized,
    { exclusive = false, capabilities }: { exclusive?: boolean; capabilities: JsonObject | undefined },
    ended: () => Promise<void> = () => Promise.resolve(),
  ): ChannelSession {
    const session = new ChannelSession({
      channel: this.channel,
      connection: this.#key,
      exclusive,
      capabilities,
      initialized,
      sent: () => this.sent(),
      ended: (one) => {
        this.#sessions.delete(one)
        return ended()
      },
    })
    this.#sessions.add(session)
    if (this.#how !== undefined) session.lost(`the process ${this.#how}`)
    return session
  }

  /** Resolves when nothing is under way. */
  idle(): Promise<void> {
    return this.channel.idle()
  }

  /** Ends what is under way, for that reason, and the process. */
  async stop(reason: string): Promise<void> {
    this.channel.close('lost', reason)
    await this.#process.stop()
  }

  #line(line: string): void {
    if (line.trim() !== '') this.channel.receive(line, line)
  }

  #register(): void {
    const { pid } = this.#process
    const { processes, commandLine } = this.#options
    if (pid === undefined || processes === undefined) return
    void processes.add(pid, commandLine).then(() => {
      if (this.#how !== undefined) processes.remove(pid)
    })
  }

  #ended(how: string): void {
    this.#how = how
    const { pid } = this.#process
    if (pid !== undefined) this.#options.processes?.remove(pid)
    this.channel.close('lost', `the process ${how}`)
    for (const session of [...this.#sessions]) session.lost(`the process ${how}`)
    this.#options.onEnd(how, this)
  }
}

/** Messages must not have line breaks in them (basic/transports, stdio); between JSON's tokens a blank means the same. */
function oneLine(text: string): string {
  return /[\r\n]/.test(text) ? text.replace(/[\r\n]+/g, ' ') : text
}
