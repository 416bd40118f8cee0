import { basename } from 'node:path'
import type { ReplayBackendConfig } from '../../../shared/config/schema'
import { isObject, type JsonObject } from '../../../shared/protocol/json-rpc'
import { derivedCapabilities, derivedDiscovery } from '../../../shared/replay/derived-offer'
import { readPattern, type PointerPattern } from '../../../shared/replay/pointer'
import { SessionError } from '../backend'
import type {
  Activity,
  Backend,
  BackendState,
  Initialized,
  LegacySession,
  UpstreamPart,
  UpstreamRequest,
} from '../backend'
import { timingOf, type BackendOptions } from '../backend-options'
import { BackendStatus } from '../backend-status'
import { Backoff } from '../backoff'
import { NEWEST_LEGACY_VERSION, readDiscover } from '../era'
import { InFlight } from '../in-flight'
import { endedParts } from '../part-queue'
import type { CaptureSource, RecordedCapture } from './capture-source'
import { chooseBackend } from './choose-backend'
import { play, type Telling } from './playback'
import { Recording } from './recording'
import { ReplayAnswers } from './replay-answers'
import { ReplaySession } from './replay-session'
import { abortSignalOf, type CancelSignal } from '../cancel-signal'

/** A file is looked at for changes at most so often, and never for more than a tenth of the time. */
const LOOK_AGAIN_MS = 1_000

interface Loaded {
  capture: RecordedCapture
  recording: Recording
  answers: ReplayAnswers
  fingerprint: string
  underWay: InFlight
}

/** A server that is told from a capture: it answers as the recorded one did, in its era, without there being one. */
export class ReplayBackend implements Backend {
  readonly name: string
  readonly type = 'replay'
  readonly sharesConnection = false
  readonly #config: ReplayBackendConfig
  readonly #source: CaptureSource | undefined
  readonly #ignore: readonly PointerPattern[]
  readonly #status = new BackendStatus(null)
  readonly #backoff: Backoff
  readonly #underWay = new InFlight()
  readonly #abort = new AbortController()
  readonly #sessions = new Set<ReplaySession>()
  #shared: ReplaySession | undefined
  #loaded: Loaded | undefined
  #loading: Promise<void> | undefined
  #lookAgainAt = 0

  constructor(name: string, config: ReplayBackendConfig, options: BackendOptions) {
    this.name = name
    this.#config = config
    this.#source = options.captures
    this.#backoff = new Backoff(timingOf(options).probePausesMs)
    this.#ignore = config.ignore.map(readPattern).flatMap((read) => ('problem' in read ? [] : [read]))
  }

  /** The file, in the place of a command line. */
  get command(): string {
    return `replay ${this.#config.file}`
  }

  get state(): BackendState {
    return this.#status.state
  }

  onState(listener: (state: BackendState) => void): () => void {
    return this.#status.onState(listener)
  }

  onActivity(listener: (activity: Activity) => void): () => void {
    return this.#status.onActivity(listener)
  }

  async discover(): Promise<BackendState> {
    await this.#fresh()
    return this.state
  }

  /** Reads the file again, and begins it anew: repeated calls are answered from the first on. */
  async restart(): Promise<void> {
    await this.#loading
    await this.#load()
  }

  exchange(request: UpstreamRequest, signal: CancelSignal): AsyncIterableIterator<UpstreamPart> {
    if (this.#status.closed) return endedParts('lost', 'the backend was taken out of the configuration')
    return this.#play(request, signal, () => undefined)
  }

  async shared(): Promise<LegacySession> {
    if (this.#shared?.open !== true) this.#shared = await this.#newSession()
    return this.#shared
  }

  open(): Promise<LegacySession> {
    return this.#newSession()
  }

  async retire(): Promise<void> {
    this.#backoff.stop()
    this.#status.close()
    await this.#underWay.idle()
    await this.close()
  }

  async close(): Promise<void> {
    this.#backoff.stop()
    this.#status.close()
    this.#abort.abort('the gateway stops')
    for (const session of this.#sessions) await session.close()
    await this.#loading
    await this.#loaded?.capture.close()
    this.#loaded = undefined
  }

  #play(request: UpstreamRequest, signal: CancelSignal, ended: () => void): AsyncIterableIterator<UpstreamPart> {
    this.#underWay.add()
    let loaded: Loaded | undefined
    const { file, pace, speed } = this.#config
    return play({
      request,
      signal: AbortSignal.any([abortSignalOf(signal), this.#abort.signal]),
      speed: pace === 'at-once' ? Infinity : speed,
      tell: async () => {
        await this.#fresh()
        loaded = this.#loaded
        loaded?.underWay.add()
        return loaded === undefined ? this.#down() : loaded.answers.answer(request)
      },
      url: (telling) => `${basename(file)}${placeOf(telling)}`,
      check: (frame, given) => {
        const recorded = frame.answer
        if (recorded === undefined || recorded === null) return undefined
        const { result, error } = recorded
        const was: JsonObject = {
          ...(result !== undefined && { result }),
          ...(error !== undefined && { error: { ...error } }),
        }
        return loaded?.answers.check(frame.message?.method ?? '', answerOf(was), answerOf(given ?? {}))
      },
      refusal: (difference, call) => loaded?.answers.refusal(difference, call),
      done: () => {
        loaded?.underWay.done()
        this.#underWay.done()
        ended()
      },
    })
  }

  #down(): Telling {
    return { kind: 'gone', reason: 'refused', detail: this.state.reason ?? 'the capture has not been read' }
  }

  async #newSession(): Promise<ReplaySession> {
    await this.#fresh()
    const { initialized, era, reason } = this.state
    if (this.#status.closed) throw new SessionError('refused', 'the backend was taken out of the configuration')
    if (era === 'modern') throw new SessionError('protocol', 'it was recorded with 2026-07-28, which has no sessions')
    if (this.#loaded === undefined || initialized === undefined)
      throw new SessionError('refused', reason ?? 'the capture has not been read')
    const session: ReplaySession = new ReplaySession(
      initialized,
      (request, signal, done) => this.#play(request, signal, done),
      (closed) => this.#sessions.delete(closed),
    )
    this.#sessions.add(session)
    return session
  }

  /** Reads the file if that was not done, and again when it has changed. */
  async #fresh(): Promise<void> {
    if (this.#loading !== undefined) return this.#loading
    if (this.#loaded === undefined) return this.#load()
    if (performance.now() < this.#lookAgainAt) return
    this.#lookAgainAt = performance.now() + LOOK_AGAIN_MS
    const now = await this.#fingerprint()
    if (now !== this.#loaded?.fingerprint) await this.#load()
  }

  /** Undefined when the file is not there; reading it says why. */
  async #fingerprint(): Promise<string | undefined> {
    try {
      return await this.#source?.fingerprint(this.#config.file)
    } catch {
      return undefined
    }
  }

  #load(): Promise<void> {
    this.#loading ??= this.#read().finally(() => (this.#loading = undefined))
    return this.#loading
  }

  async #read(): Promise<void> {
    const { file, backend: wanted, repeat, answers } = this.#config
    const began = performance.now()
    try {
      if (this.#source === undefined) throw new Error('there is nothing here that reads captures')
      // A file that is not there is told of by opening it.
      const fingerprint = (await this.#fingerprint()) ?? ''
      const capture = await this.#source.open(file, this.#abort.signal)
      const chosen = chooseBackend(capture, this.name, wanted)
      if ('problem' in chosen) {
        await capture.close()
        throw new Error(`${file} ${chosen.problem}; ${chosen.fix}`)
      }
      const options = { capture, backend: chosen.backend, ignore: this.#ignore, repeat, signal: this.#abort.signal }
      const recording = await Recording.read(options)
      const replayed = new ReplayAnswers({
        backend: this.name,
        file: basename(file),
        recording,
        startedAt: capture.startedAt,
        answers,
        ignore: this.#ignore,
        differs: (text) => this.#status.report('noise', text),
      })
      this.#take({ capture, recording, answers: replayed, fingerprint, underWay: new InFlight() }, chosen.backend)
      await this.#ready(recording)
    } catch (error) {
      if (this.#abort.signal.aborted) return
      this.#failed(error instanceof Error ? error.message : String(error))
    }
    this.#lookAgainAt = performance.now() + Math.max(LOOK_AGAIN_MS, 10 * (performance.now() - began))
  }

  #take(loaded: Loaded, from: string): void {
    const before = this.#loaded
    this.#loaded = loaded
    if (before !== undefined) void before.underWay.idle().then(() => before.capture.close())
    const { exchanges, left, era } = loaded.recording
    this.#status.report(
      before === undefined ? 'started' : 'restarted',
      `replays ${exchanges} exchanges of "${from}" (${era})`,
    )
    const notes = [
      ...(left.cut > 0 ? [`${left.cut} were recorded in part only`] : []),
      ...(left.otherEra > 0 ? [`${left.otherEra} are of the other era`] : []),
      ...(left.orphans > 0 ? [`${left.orphans} are later rounds whose first round is not in the capture`] : []),
    ]
    if (notes.length > 0) this.#status.report('noise', `exchanges that are not replayed: ${notes.join(', ')}`)
  }

  #failed(reason: string): void {
    const before = this.#loaded
    this.#loaded = undefined
    if (before !== undefined) void before.underWay.idle().then(() => before.capture.close())
    for (const session of this.#sessions) session.lost(reason)
    this.#status.set({ health: 'down', era: this.state.era, reason })
    this.#backoff.again(() => void this.discover())
  }

  async #ready(recording: Recording): Promise<void> {
    this.#backoff.reset()
    if (recording.era === 'legacy') {
      const initialized = initializedOf(recording)
      const { serverInfo } = initialized
      this.#status.set({ health: 'ready', era: 'legacy', initialized, ...(serverInfo !== undefined && { serverInfo }) })
      return
    }
    const info = recording.server.serverInfo ?? { name: this.name, version: 'recorded' }
    const place = recording.find('server/discover', null, {}, false)
    const recorded = place === undefined ? undefined : (await recording.exchange(place))?.answer?.result
    const result = isObject(recorded) ? recorded : derivedDiscovery(recording.methods, info, recording.server)
    const verdict = readDiscover({ message: { result }, status: 200 })
    this.#status.set(verdict.kind === 'modern' ? verdict.state : { health: 'ready', era: 'modern' })
  }
}

function initializedOf({ server, methods }: Recording): Initialized {
  const { serverInfo, instructions, protocolVersion = NEWEST_LEGACY_VERSION } = server
  const capabilities = server.capabilities ?? derivedCapabilities(methods)
  const name = typeof serverInfo?.name === 'string' ? serverInfo.name : undefined
  const version = typeof serverInfo?.version === 'string' ? serverInfo.version : undefined
  return {
    protocolVersion,
    capabilities,
    ...(name !== undefined && { serverInfo: { name, ...(version !== undefined && { version }) } }),
    ...(instructions !== undefined && { instructions }),
    raw: {
      protocolVersion,
      capabilities,
      serverInfo: serverInfo ?? { name: 'recorded', version: 'recorded' },
      ...(instructions !== undefined && { instructions }),
    },
  }
}

/** What a response says, whichever it is. */
function answerOf(response: JsonObject): JsonObject {
  if (isObject(response.result)) return response.result
  return isObject(response.error) ? { error: response.error } : {}
}

function placeOf(telling: Telling): string {
  if (telling.kind !== 'recorded') return ''
  return `#call=${telling.recorded.call}&exchange=${telling.recorded.exchange}`
}
