import type { Annotation } from '../capture/annotation'
import type { CallEvent, BackendHealth, CaptureHeader } from '../capture/events'
import type { CallSummary } from '../capture/summary'
import type { Finding } from '../findings/finding'
import type { OffBackend } from '../config/schema'
import type { JsonObject, JsonValue } from '../protocol/json-rpc'
import type { Era } from '../protocol/revisions'
import type { ComposeCommands, ComposedCall } from './compose'
import type { ExportCommands } from './export'
import type { FindingsCommands } from './findings'
import type { DesktopMenu } from './menu'
import type { ReplayCommands, ReplayStatus } from './replay'
import type { SecretsCommands, WaitingBackend } from './secrets'

/** Why an offered tool, prompt or resource is not in the merged catalog under its own name. */
export interface CatalogEntry {
  kind: 'tool' | 'prompt' | 'resource' | 'resource-template'
  /** Name or URI as the backend gives it. */
  name: string
  /** Name or URI on `/mcp`; null when it is not offered there. */
  exposedAs: string | null
  title?: string
  description?: string
  /** Set when it is not offered, in words: filtered, lost a conflict, invalid header annotation. */
  excluded?: string
}

export interface BackendStatus {
  name: string
  type: string
  /** URL of an HTTP backend. */
  url?: string
  /** Command line of a stdio backend, for people: without secrets that its arguments seem to carry. */
  command?: string
  /** stdio: one process for all, or one for each session of a legacy client. */
  instances?: 'shared' | 'per-session'
  /** It has a process that can be started again by hand (`backend.restart`). */
  restartable?: boolean
  /** It stands in no file: it is part of the demo. */
  ofDemo?: boolean
  /** The endpoint of this backend alone. */
  endpoint: string
  era: Era | null
  health: BackendHealth
  /** In words, when not `ready`. */
  reason?: string
  /** Unix milliseconds of the last change of health. */
  changedAt: number
  serverInfo?: { name: string; version?: string }
  /** The newest protocol revision that it was found to speak. */
  protocolVersion?: string
  /** `WWW-Authenticate` of its refusal, while it needs a sign-in. */
  challenge?: string
  counts: { tools: number; prompts: number; resources: number; resourceTemplates: number }
}

/** Something that a backend printed or that happened to it. Texts are the backend's: hostile. */
export interface BackendActivity {
  /** Grows from line to line; other events of the capture lie in between. */
  seq: number
  /** Microseconds since the capture began. */
  at: number
  /** `noise`: what came on stdout and is no message for any call. `state`: how it is now, and since when. */
  kind: 'started' | 'restarted' | 'exited' | 'stderr' | 'noise' | 'state'
  text: string
}

/** An entry of the configuration file, with marks (`«kept 1»`) in place of secrets that stand in it in plain text. */
export interface ConfiguredBackend {
  name: string
  file: string
  /** In the shape of the configuration, as it is written there. */
  entry: JsonObject
  /** Turned off. */
  off: boolean
  /** Given back with a change, which is refused when the entry is another one by then. */
  version: string
}
/** What became of a change of the configuration file. */
export interface WrittenChange {
  /** In words, why it is not in force: something else in the file is wrong. Null when it is applied. */
  held: string | null
}

/** A configuration file of another tool, and the servers in it that could be backends. */
export interface ImportableFile {
  /** The tool's name, for people. */
  client: string
  scope: 'user' | 'project'
  file: string
  servers: ImportableServer[]
  /** Why the file could not be read, in words. */
  problem: string | null
}
export interface ImportableServer {
  /** As it is called there. */
  name: string
  /** What the backend would be called. */
  as: string
  /** What would be started or called: a command line without secrets that its arguments seem to carry, or a URL. */
  target: string
  kind: 'command' | 'url'
  /** Names of its environment variables, or of its header fields. */
  variables: string[]
  /** Why it cannot be added, in words. */
  problem: string | null
}

export interface RecordingStatus {
  on: boolean
  file: string | null
  calls: number
  events: number
  bytes: number
  lostEvents: number
  /** In words, when recording to disk failed. */
  problem: string | null
}

/** A capture file that was opened beside the live run. Texts of the file are hostile. */
export interface OpenedCaptureStatus {
  /** What commands call it: good for this run of Sluice. */
  id: string
  /** Name of the file. */
  name: string
  file: string
  state: 'opening' | 'open' | 'failed'
  /** Bytes looked at, of how many, while its index is made. */
  progress: { done: number; total: number } | null
  /** Why it could not be opened, or not be read later on, in words. */
  problem: string | null
  calls: number
  bytes: number
  /** Wall clock of its beginning, ISO 8601; null until it is open. */
  startedAt: string | null
  /** What wrote it, for instance `sluice 0.1.0`. */
  writtenBy: string | null
  backends: string[]
  /** What is not in it, and what could not be read, a sentence each. */
  notes: string[]
  /** The first few lines or entries that were passed over, with their numbers and why. */
  passedOver: string[]
  /** True when lines of the file could not be read as they should. */
  damaged: boolean
  /** Unix milliseconds at which the system handed it to the app, to be shown at once; null when a desk opened it. */
  handedOverAt: number | null
}

/** A capture file of an earlier run, in the data folder. */
export interface RecentCapture {
  file: string
  name: string
  bytes: number
  /** Unix milliseconds. */
  modifiedAt: number
}

/** Says which capture a command looks at: one that was opened, or this run when it is absent. */
export interface OfCapture {
  capture?: string
}

export interface DeskStatus {
  version: string
  endpoint: string
  configFile: string | null
  /** How often another configuration was applied: what backends offer may have another name since, or be left out. */
  applied: number
  recording: RecordingStatus
  backends: BackendStatus[]
  /** Backends that are turned off in the configuration file. */
  off: OffBackend[]
  /** Backends that are left out until their secrets are set. */
  waiting: WaitingBackend[]
  /** The embedded demo: null when this run has none. */
  demo: { running: boolean } | null
  /** Wall clock of the capture, to turn `at` into times of day. */
  startedAt: string
}

/** A body longer than the clip is cut in `call.events`; `call.text` has the whole. */
export interface ClippedEvent {
  seq: number
  /** Whole length in characters. */
  length: number
}

/** What the configuration file says of the gateway. `path` as in `SETTINGS` (shared/config/settings). */
export interface SettingValues {
  file: string
  values: {
    path: string[]
    value: JsonValue
    /** It stands in the file; else the default counts. */
    own: boolean
  }[]
}

/** Every command of the desk: its name, what it takes, what it answers. */
export interface Commands extends ComposeCommands, ReplayCommands, ExportCommands, FindingsCommands, SecretsCommands {
  'desk.status': { request: Record<string, never>; response: DeskStatus }
  /** Summaries with `call` greater than `after`, in order, at most `limit` (1 000 by default). */
  'calls.list': {
    request: { after: number; limit?: number } & OfCapture
    response: { calls: CallSummary[]; more: boolean }
  }
  'call.events': {
    /** Those after event `after`, at most `limit`; without them all. */
    request: { call: number; after?: number; limit?: number } & OfCapture
    response: {
      events: CallEvent[]
      /** There are some after these. */
      more?: true
      clipped: ClippedEvent[]
      header: CaptureHeader
      /** Events left out of the middle of a call of very many. */
      omitted?: number
      /** Findings of the whole call, where they cannot be seen in what is here: texts were clipped or events left out. */
      findings?: Finding[]
    }
  }
  /** The whole text of one event's body or raw text, references resolved. */
  'call.text': { request: { call: number; seq: number } & OfCapture; response: { text: string } }
  /** Puts a note of a reader on a call, in place of the one before; null takes it off. Rows of this run come by the feed. */
  'call.annotate': {
    request: { call: number; annotation: Annotation | null } & OfCapture
    response: Record<string, never>
  }
  /** Calls of one operation, in order of rounds. */
  'operation.calls': { request: { operation: string } & OfCapture; response: { calls: number[] } }
  /** Calls in whose bodies `text` occurs (case-insensitive). */
  'calls.search': { request: { text: string } & OfCapture; response: { calls: number[] } }
  /** Captures that are open or being opened, and those of earlier runs, newest first. */
  'captures.list': {
    request: Record<string, never>
    response: { captures: OpenedCaptureStatus[]; recent: RecentCapture[] }
  }
  /**
   * Begins to open a capture file; the feed `captures` tells how it goes on. A file that is open already is not opened
   * again. Of a HAR a capture is made, which goes when it is closed. `handedOver`: by the system; desks show it at once.
   */
  'capture.open': { request: { file: string; handedOver?: true }; response: { capture: string } }
  /** Lets a capture go, or stops opening it. */
  'capture.close': { request: { capture: string }; response: Record<string, never> }
  /**
   * A capture as it is given to a page that knows no paths, piece by piece in base64: the first without `upload`, the
   * last with `last`, which begins to open it.
   */
  'capture.upload': {
    request: { name: string; upload?: string; data: string; last: boolean }
    response: { upload: string; capture: string | null }
  }
  'backend.catalog': { request: { backend: string }; response: { entries: CatalogEntry[]; problems: string[] } }
  'backend.refresh': { request: { backend: string }; response: BackendStatus }
  /** Stops the process of a stdio backend and starts it again; answers when it is ready or has failed. */
  'backend.restart': { request: { backend: string }; response: BackendStatus }
  /** The last lines of a backend, oldest first; the feed `activity` has those that follow. */
  'backend.activity': { request: { backend: string }; response: { lines: BackendActivity[] } }
  /** Writes a backend into the file. `entry` is JSON text. An error names the members that are wrong (`problems`). */
  'config.addBackend': {
    request: { name: string; entry: string }
    response: { added: string } & WrittenChange
  }
  'config.backend': { request: { name: string }; response: ConfiguredBackend }
  /**
   * Writes an entry anew, under another name too. `entry` is JSON text; each mark in it stands for what `config.backend`
   * gave it for. Nothing else in the file is touched. An error names the members that are wrong (`problems`).
   */
  'config.editBackend': {
    request: { name: string; newName: string; entry: string; version: string }
    response: { name: string } & WrittenChange
  }
  /** Turns a backend on or off in the file; with a version only as it was read. */
  'config.turnBackend': { request: { name: string; on: boolean; version?: string }; response: WrittenChange }
  /** Takes a backend out of the file. `undo` is good for this run. */
  'config.removeBackend': {
    request: { name: string; version?: string }
    response: { undo: string } & WrittenChange
  }
  /** Puts a removed backend back, where it was if the file has not changed since. */
  'config.restoreBackend': { request: { undo: string }; response: { name: string } & WrittenChange }
  /** What the configuration files of other tools on this machine offer. Changes nothing. */
  'config.importable': { request: Record<string, never>; response: { files: ImportableFile[] } }
  /** Adds servers of one of those files, by the names that they have there, as `as` of `ImportableServer`. */
  'config.import': { request: { file: string; names: string[] }; response: { added: string[] } }
  /** Settings of the gateway as the configuration file has them. */
  'config.settings': { request: Record<string, never>; response: SettingValues }
  /** Sets one, or with null takes it out of the file, so that its default counts. */
  'config.set': { request: { path: string[]; value: JsonValue }; response: SettingValues }
  'recording.set': { request: { on: boolean }; response: RecordingStatus }
  'demo.set': { request: { running: boolean }; response: { running: boolean } }
}
export type CommandName = keyof Commands

/** What main pushes. `calls`: new and changed rows, at most 30 batches a second, as for `activity`. `call`: events of calls that the desk opened. */
export interface Feeds {
  calls: { calls: CallSummary[] }
  call: { call: number; events: CallEvent[]; clipped: ClippedEvent[] }
  status: DeskStatus
  /** A composed request changed. */
  composed: ComposedCall
  /** Every replay of this run. */
  replays: { replays: ReplayStatus[] }
  /** Every capture that is open, being opened, or could not be opened. */
  captures: { captures: OpenedCaptureStatus[] }
  /** New lines of one backend; `skipped` counts those before them that the desk was too slow to take. */
  activity: { backend: string; lines: BackendActivity[]; skipped: number }
}
export type FeedName = keyof Feeds

/** Error of a command, as it crosses the carrier. `hint` says what to do. */
export interface CommandError {
  code: 'invalid-request' | 'not-found' | 'failed' | 'unauthorized'
  message: string
  hint?: string
  /** Of a configuration: each thing that is wrong with it. */
  problems?: FieldProblem[]
}
/** Something that is wrong in a configuration. */
export interface FieldProblem {
  /** Where, from the root of the file. */
  at: (string | number)[]
  message: string
  fix: string
}

/** What the renderer sees of main, whichever carrier is below (Electron IPC, loopback WebSocket). */
export interface DeskConnection {
  command<N extends CommandName>(name: N, request: Commands[N]['request']): Promise<Commands[N]['response']>
  /** Events of `call` arrive on feed `call` until the returned function is called. */
  openCall(call: number): () => void
  onFeed<N extends FeedName>(name: N, listener: (value: Feeds[N]) => void): () => void
  /** `connected` false while the carrier is down and being re-established. */
  onConnection(listener: (connected: boolean) => void): () => void
  /** Absent in a browser, which knows no paths of files. */
  files?: DesktopFiles
  /** Absent in a browser, which has a menu of its own. */
  menu?: DesktopMenu
}

/** What a desktop knows of files. */
export interface DesktopFiles {
  /** Lets the user choose capture files; their paths, none when that was given up. */
  chooseCaptures(): Promise<string[]>
  /** Lets the user choose where to write; null when that was given up. */
  chooseTarget(name: string): Promise<string | null>
  /** Path of a file that was dropped on the page (a DOM `File`); empty when it has none. */
  pathOf(file: unknown): string
}
