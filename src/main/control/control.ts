import { join } from 'node:path'
import type { CommandError, CommandName, Commands, DeskStatus, FeedName, Feeds } from '../../shared/api/contract'
import { withoutValues } from '../../shared/capture/secret-values'
import { isCommandName, REQUEST_SCHEMAS } from '../../shared/api/schemas'
import { backendStatus } from './backend-status'
import { CaptureUploads } from './capture-uploads'
import { createHandlers, type Handlers } from './commands'
import type { ControlSources } from './control-sources'
import { DeskSession } from './desk-session'
import { toCommandError } from './command-failure'
import { OpenedCaptures } from './opened-captures'
import { Replays } from './replays'

/** How a command is answered, whatever carries it. */
export type CommandAnswer = { ok: true; value: unknown } | { ok: false; error: CommandError }

export type FeedMessage = { [N in FeedName]: { feed: N; value: Feeds[N] } }[FeedName]

/** The way to one desk. */
export interface DeskSink {
  push(message: FeedMessage): void
  /** False while the desk is behind: feeds wait, and then give the newest state instead of everything between. */
  ready(): boolean
}

/** One desk that is connected. */
export interface ConnectedDesk {
  /** Never rejects. */
  command(name: unknown, request: unknown): Promise<CommandAnswer>
  /** Begins to push the events of a call. */
  openCall(call: unknown): void
  closeCall(call: unknown): void
  close(): void
}

export interface Control {
  connect(sink: DeskSink): ConnectedDesk
  /** Tells all desks how things are: what is not known here has changed. */
  refresh(): void
  /** Closes all desks, and the captures that they opened. */
  close(): Promise<void>
}

/** A desk that asks for more at once is not served: it is broken or hostile. */
const MAX_COMMANDS_AT_ONCE = 64
const SEARCHES_AT_ONCE = 4

export function createControl(sources: ControlSources): Control {
  return new LiveControl(sources)
}

class LiveControl implements Control {
  private readonly desks = new Set<LiveDesk>()
  readonly opened: OpenedCaptures
  readonly uploads: CaptureUploads
  readonly replays: Replays
  private readonly handlers: Handlers
  private readonly leave: (() => void)[]

  constructor(private readonly sources: ControlSources) {
    this.opened = new OpenedCaptures(sources.dataDirectory, sources.version, () => sources.recorder.redaction)
    this.uploads = new CaptureUploads(join(sources.dataDirectory, 'uploads'))
    this.replays = new Replays(sources.replayTarget, sources.version)
    this.handlers = createHandlers(sources, this, () => this.status())
    const changed = (): void => this.statusChanged()
    this.leave = [
      sources.gateway.onBackends(changed),
      sources.recorder.onStatus(changed),
      sources.recorder.activities.onLine((backend, line) => {
        for (const desk of this.desks) desk.session.activity.add(backend, line)
      }),
      sources.compose.composer.onChange((call) => {
        const { spellings } = sources.secrets.live
        for (const desk of this.desks) desk.session.composed(withoutValues(call, spellings))
      }),
      this.replays.onChange(() => {
        for (const desk of this.desks) desk.session.replaysChanged()
      }),
      this.opened.onChange(() => {
        for (const desk of this.desks) desk.session.capturesChanged()
      }),
      sources.recorder.onChange((calls) => {
        for (const desk of this.desks) desk.session.callsChanged(calls)
      }),
    ]
  }

  connect(sink: DeskSink): ConnectedDesk {
    const session = new DeskSession(this.sources.recorder, sink, {
      status: () => this.status(),
      captures: () => this.opened.list(),
      replays: () => this.replays.list(),
    })
    // Who looks at the desk shall see tools come and go; without a desk backends are left in peace.
    const leave = [this.sources.gateway.watch(), this.sources.recorder.attend()]
    const desk = new LiveDesk(session, this.handlers, this.sources.secrets.live, {
      closed: () => {
        this.desks.delete(desk)
        for (const end of leave) end()
      },
      changed: () => this.statusChanged(),
    })
    this.desks.add(desk)
    return desk
  }

  refresh(): void {
    this.statusChanged()
  }

  async close(): Promise<void> {
    for (const leave of this.leave.splice(0)) leave()
    for (const desk of [...this.desks]) desk.close()
    this.replays.closeAll()
    await this.opened.closeAll()
    await this.uploads.closeAll()
  }

  private status(): DeskStatus {
    const { version, recorder, gateway, configFile, demo, secrets, off, applied, isOfDemo } = this.sources
    const status: DeskStatus = {
      version,
      endpoint: `${gateway.base}/mcp`,
      configFile,
      applied: applied(),
      recording: recorder.status(),
      backends: gateway
        .backends()
        .map(({ name }) => backendStatus(gateway, name, isOfDemo))
        .filter((one) => one !== undefined),
      off: [...off()],
      waiting: secrets.live.waiting,
      demo: demo && { running: demo.running() },
      startedAt: recorder.header.startedAt,
    }
    // Command lines and reasons of failures may repeat them.
    return withoutValues(status, secrets.live.spellings)
  }

  private statusChanged(): void {
    for (const desk of this.desks) desk.session.statusChanged()
  }
}

/** Commands that change what all desks show. */
const CHANGING: ReadonlySet<CommandName> = new Set([
  'recording.set',
  'demo.set',
  'config.addBackend',
  'config.import',
  'config.editBackend',
  'config.turnBackend',
  'config.removeBackend',
  'config.restoreBackend',
  'secrets.set',
  'secrets.remove',
  'backend.refresh',
  'backend.restart',
])

class LiveDesk implements ConnectedDesk {
  private underWay = 0
  private readonly searches = new Set<AbortController>()

  constructor(
    readonly session: DeskSession,
    private readonly handlers: Handlers,
    private readonly secrets: { readonly spellings: readonly string[] },
    private readonly tell: { closed: () => void; changed: () => void },
  ) {}

  async command(name: unknown, request: unknown): Promise<CommandAnswer> {
    if (!isCommandName(name)) {
      return refuse(
        'invalid-request',
        `there is no command ${JSON.stringify(name)}`,
        'reload the desk; it may be older than Sluice',
      )
    }
    if (this.underWay >= MAX_COMMANDS_AT_ONCE) {
      return refuse('failed', `${MAX_COMMANDS_AT_ONCE} commands of this desk are under way already`, 'wait for them')
    }
    this.underWay++
    try {
      return { ok: true, value: withoutValues(await this.run(name, request), this.secrets.spellings) }
    } catch (error) {
      return { ok: false, error: withoutValues(toCommandError(error), this.secrets.spellings) }
    } finally {
      this.underWay--
    }
  }

  openCall(call: unknown): void {
    if (isCallNumber(call)) this.session.openCall(call)
  }

  closeCall(call: unknown): void {
    if (isCallNumber(call)) this.session.closeCall(call)
  }

  close(): void {
    for (const search of this.searches) search.abort()
    this.session.close()
    this.tell.closed()
  }

  private async run<N extends CommandName>(name: N, request: unknown): Promise<Commands[N]['response']> {
    const read = REQUEST_SCHEMAS[name].parse(request)
    const search = new AbortController()
    if (name === 'calls.search') {
      this.searches.add(search)
      if (this.searches.size > SEARCHES_AT_ONCE) {
        const [oldest] = this.searches
        oldest?.abort()
      }
    }
    try {
      const response = await this.handlers[name](read, search.signal)
      if (CHANGING.has(name)) this.tell.changed()
      return response
    } finally {
      this.searches.delete(search)
    }
  }
}

function isCallNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0
}

function refuse(code: CommandError['code'], message: string, hint: string): CommandAnswer {
  return { ok: false, error: { code, message, hint } }
}
