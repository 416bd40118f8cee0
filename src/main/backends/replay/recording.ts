import { createHash } from 'node:crypto'
import { CallFold } from '../../../shared/capture/fold'
import { MAX_RESULT_NESTING } from '../../../shared/capture/known-servers'
import { isObject, type JsonObject } from '../../../shared/protocol/json-rpc'
import { META } from '../../../shared/protocol/meta'
import { LEGACY_VERSIONS, type Era } from '../../../shared/protocol/revisions'
import { canonicalJson } from '../../../shared/replay/canonical'
import { LIST_MEMBERS } from '../../../shared/replay/derived-offer'
import { matchedParams, nearestCandidate, type Candidate, type Nearest } from '../../../shared/replay/match-request'
import type { PointerPattern } from '../../../shared/replay/pointer'
import { nestsDeeper, recordedExchanges, type RecordedExchange } from '../../../shared/replay/recorded-exchange'
import { parsed } from '../messages'
import type { RecordedCapture } from './capture-source'

/** Where one recorded exchange stands, and what it is found by. */
export interface Place extends Candidate {
  call: number
  exchange: number
  method: string
  /** Its params are too long to be kept: they are known by their digest, and compared with nothing. */
  long: boolean
  round: number
  /** The rounds that followed it in the recording. */
  next: Place[]
}

/** Params of more calls than this, and longer ones, are not compared for the nearest call. */
const MAX_CANDIDATES = 2_000
const MAX_KEPT_PARAMS = 4_000
const MAX_NAMES = 5_000

/** What a server says of itself is in the answers to these. */
const DISCOVERING: ReadonlySet<string> = new Set(['initialize', 'server/discover'])

export interface RecordingOptions {
  capture: RecordedCapture
  /** Name of the backend in the capture. */
  backend: string
  /** Pointers into `params`. */
  ignore: readonly PointerPattern[]
  repeat: 'last' | 'loop'
  signal: AbortSignal
}

/** What is known of the server beside its answers. */
export interface RecordedServer {
  serverInfo?: JsonObject
  capabilities?: JsonObject
  instructions?: string
  /** Of a legacy server. */
  protocolVersion?: string
}

/** The exchanges of one backend of a capture. Memory holds where they stand; answers are read when they are wanted. */
export class Recording {
  readonly era: Era
  readonly server: RecordedServer
  /** Methods that were used, requests and notifications. */
  readonly methods: ReadonlySet<string>
  /** Exchanges that can be served. */
  readonly exchanges: number
  /** Exchanges that cannot: recorded in part only, in the other era, or rounds whose beginning is not there. */
  readonly left: { cut: number; otherEra: number; orphans: number }
  private readonly byKey = new Map<string, { places: Place[]; next: number }>()
  private readonly byMethod = new Map<string, Place[]>()
  private readonly byPlace = new Map<string, Place>()
  private readonly listed: ReadonlyMap<string, ReadonlySet<string>>

  private constructor(
    private readonly options: RecordingOptions,
    read: Reading,
  ) {
    const { modern, legacy } = read.answered
    this.era = legacy > modern ? 'legacy' : 'modern'
    this.server = read.serverOf(this.era)
    this.methods = read.methods
    const places = read.places.filter(({ era }) => era === this.era)
    const operations = new Map<string, Place[]>()
    let orphans = 0
    for (const { place, operation } of places) {
      const rounds = operations.get(operation) ?? []
      const before = rounds.findLast(({ round }) => round === place.round - 1)
      operations.set(operation, [...rounds, place])
      this.byPlace.set(`${place.call} ${place.exchange}`, place)
      if (place.round === 1) this.enter(place)
      else if (before === undefined) orphans++
      else before.next.push(place)
    }
    this.listed = read.listed
    this.exchanges = places.length - orphans
    this.left = { cut: read.cut, otherEra: read.places.length - places.length, orphans }
  }

  /** Reads a capture through. Rejects when `signal` is aborted. */
  static async read(options: RecordingOptions): Promise<Recording> {
    const reading = new Reading(options)
    for (const { call, backends, endpoint } of options.capture.calls()) {
      options.signal.throwIfAborted()
      const own = endpoint === `/mcp/${options.backend}`
      if (backends.includes(options.backend) || own) reading.add(await foldOf(options.capture, call), own)
    }
    return new Recording(options, reading)
  }

  /** Names of tools and prompts, and URIs, that recorded calls are about, with their params. */
  places(): Place[] {
    return [...this.byMethod.values()].flat()
  }

  /** Names in the recorded pages of a list. */
  listedNames(method: string): ReadonlySet<string> {
    return this.listed.get(method) ?? new Set()
  }

  /**
   * The recorded exchange for a request: of several equal ones each in its turn, then the last again or the first.
   * `advance` is false for those who only look.
   */
  find(method: string, name: string | null, params: JsonObject, advance: boolean): Place | undefined {
    const matched = matchedParams(params, this.options.ignore)
    const found = this.byKey.get(keyOf(method, name, matched))
    if (found !== undefined) return this.turn(found, advance)
    const nearest = this.nearest(method, name, params)
    if (nearest === undefined || nearest.difference !== undefined || nearest.candidate.name !== name) return undefined
    if (nearest.candidate.long) return undefined
    const like = this.byKey.get(keyOf(method, name, nearest.candidate.params))
    return like === undefined ? nearest.candidate : this.turn(like, advance)
  }

  /** The recorded call that a request is most like. */
  nearest(method: string, name: string | null, params: JsonObject): Nearest<Place> | undefined {
    const all = this.byMethod.get(method) ?? []
    const sameName = all.filter((place) => place.name === name)
    const among = sameName.length > 0 ? sameName : all
    const comparable = among.filter(({ long }) => !long).slice(0, MAX_CANDIDATES)
    const [first] = among
    if (first === undefined || comparable.length > 0)
      return nearestCandidate(name, matchedParams(params, this.options.ignore), comparable)
    return { candidate: first, difference: undefined }
  }

  /** The place that a request state of this recording names. */
  at(call: number, exchange: number): Place | undefined {
    return this.byPlace.get(`${call} ${exchange}`)
  }

  /** The exchange at a place as it was recorded; undefined when the file is no longer what it was. */
  async exchange({ call, exchange }: Place): Promise<RecordedExchange | undefined> {
    const record = await foldOf(this.options.capture, call)
    return recordedExchanges(record).find((one) => one.exchange === exchange && one.cut === null)
  }

  private turn(found: { places: Place[]; next: number }, advance: boolean): Place | undefined {
    const { places, next } = found
    const index = this.options.repeat === 'loop' ? next % places.length : Math.min(next, places.length - 1)
    if (advance) found.next = next + 1
    return places[index]
  }

  private enter(place: Place): void {
    const key = keyOf(place.method, place.name, place.params)
    const known = this.byKey.get(key)
    if (known === undefined) this.byKey.set(key, { places: [place], next: 0 })
    else known.places.push(place)
    const ofMethod = this.byMethod.get(place.method)
    if (ofMethod === undefined) this.byMethod.set(place.method, [place])
    else ofMethod.push(place)
  }
}

/** What is gathered while a capture is read. */
class Reading {
  readonly places: { place: Place; operation: string; era: Era }[] = []
  readonly answered = { modern: 0, legacy: 0 }
  readonly methods = new Set<string>()
  readonly listed = new Map<string, Set<string>>()
  cut = 0
  /** From its own answers to `server/discover` and `initialize`, and the name it signs answers with. */
  private readonly said: RecordedServer = {}
  /** From what the gateway passed on of it. */
  private readonly passedOn: RecordedServer = {}

  constructor(private readonly options: RecordingOptions) {}

  /** `own`: the call came on the backend's own endpoint. */
  add(record: ReturnType<typeof foldSync>, own: boolean): void {
    if (own) this.learnFromClientLeg(record)
    for (const one of recordedExchanges(record)) {
      if (one.backend !== this.options.backend) continue
      if (one.method === 'initialize') {
        if (one.cut === null) this.learn(one)
        continue
      }
      if (one.cut !== null) {
        this.cut++
        continue
      }
      this.methods.add(one.method)
      for (const { message } of one.frames) if (message?.method !== undefined) this.methods.add(message.method)
      if (one.answer !== null) this.answered[one.era]++
      this.learn(one)
      if (one.era === 'legacy') this.learnVersion(record)
      const { call, exchange, method, name, round, operation, era } = one
      const params = matchedParams(one.params, this.options.ignore)
      const kept = bounded(params)
      const place: Place = { call, exchange, method, name, params: kept, long: kept !== params, round, next: [] }
      this.places.push({ place, operation, era })
    }
  }

  /** The server's own words count most, then what the gateway knew of it, last what clients heard of it. */
  serverOf(era: Era): RecordedServer {
    const { capture, backend } = this.options
    const known = capture.server(backend)
    const probed: RecordedServer = {}
    if (known !== undefined && (known.era ?? era) === era) {
      const result = parsed(known.result ?? '') ?? {}
      if (!nestsDeeper(result, MAX_RESULT_NESTING)) learnServer(probed, result)
      if (known.serverInfo !== undefined) probed.serverInfo ??= known.serverInfo
    }
    return { ...this.passedOn, ...probed, ...this.said }
  }

  private learn({ method, answer }: RecordedExchange): void {
    const result = answer?.result
    if (!isObject(result)) return
    if (DISCOVERING.has(method)) learnServer(this.said, result)
    const info = isObject(result._meta) ? result._meta[META.serverInfo] : undefined
    if (isObject(info)) this.said.serverInfo = info
    const entries = result[LIST_MEMBERS[method] ?? '']
    if (!Array.isArray(entries)) return
    const names = this.listed.get(method) ?? new Set()
    this.listed.set(method, names)
    for (const entry of entries) {
      const name = isObject(entry) ? (entry.uri ?? entry.uriTemplate ?? entry.name) : undefined
      if (typeof name === 'string' && names.size < MAX_NAMES) names.add(name)
    }
  }

  /**
   * On the backend's own endpoint the gateway passes on what the server offers. A capture may have nothing else of it. The
   * name in an answer to `initialize` is that of the gateway.
   */
  private learnFromClientLeg({ summary, response }: ReturnType<typeof foldSync>): void {
    if (!DISCOVERING.has(summary.method ?? '')) return
    const result = response.frames.at(-1)?.message.result
    if (!isObject(result)) return
    const { serverInfo: _gateway, protocolVersion: _negotiated, ...offer } = result
    learnServer(this.passedOn, offer)
  }

  private learnVersion(record: ReturnType<typeof foldSync>): void {
    if (this.said.protocolVersion !== undefined) return
    for (const { sent } of record.exchanges) {
      const version = sent?.http.headers.find(([name]) => name.toLowerCase() === 'mcp-protocol-version')?.[1]
      if (version !== undefined && LEGACY_VERSIONS.has(version)) this.said.protocolVersion = version
    }
  }
}

/** Takes from a result of `server/discover` or `initialize` what the server says of itself. */
function learnServer(server: RecordedServer, result: JsonObject): void {
  const { capabilities, instructions, protocolVersion, _meta } = result
  const info = result.serverInfo ?? (isObject(_meta) ? _meta[META.serverInfo] : undefined)
  if (isObject(info)) server.serverInfo = info
  if (isObject(capabilities)) server.capabilities = capabilities
  if (typeof instructions === 'string') server.instructions = instructions
  if (typeof protocolVersion === 'string' && LEGACY_VERSIONS.has(protocolVersion))
    server.protocolVersion = protocolVersion
}

/** Long params are found by their digest only. */
function bounded(params: JsonObject): JsonObject {
  const text = canonicalJson(params)
  return text.length <= MAX_KEPT_PARAMS ? params : { longParams: digest(text) }
}

function keyOf(method: string, name: string | null, params: JsonObject): string {
  return digest(`${method}\n${canonicalJson([name, bounded(params)])}`)
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64')
}

async function foldOf(capture: RecordedCapture, call: number): Promise<ReturnType<typeof foldSync>> {
  return foldSync(await capture.events(call))
}

function foldSync(events: Awaited<ReturnType<RecordedCapture['events']>>): CallFold['record'] {
  const fold = new CallFold(undefined, false)
  for (const event of events) fold.add(event)
  return fold.record
}
