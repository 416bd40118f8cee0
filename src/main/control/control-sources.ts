import type { SettingValues } from '../../shared/api/contract'
import type { ConfigurationProblem } from '../../shared/config/problem'
import type { OffBackend } from '../../shared/config/schema'
import type { JsonObject, JsonValue } from '../../shared/protocol/json-rpc'
import type { Recorder } from '../capture/recorder-contract'
import type { ConfiguredBackends } from '../config/configured-backends'
import type { Gateway } from '../gateway/gateway'
import type { ReplayTarget } from '../replay/replay-target'
import type { ComposeSources } from './compose-commands'
import type { SecretSources } from './secret-commands'

/** What the desk shows and commands. */
export interface ControlSources {
  version: string
  recorder: Recorder
  gateway: Pick<Gateway, 'base' | 'backends' | 'onBackends' | 'catalog' | 'refresh' | 'watch' | 'counts'>
  configFile: string | null
  /** Has the captures of earlier runs; indexes and copies are kept there. */
  dataDirectory: string
  /**
   * Adds an entry in the shape of the configuration, with what is wrong with it; null when this run has no file for it.
   * Rejects in words.
   */
  addEntry: ((name: string, entry: JsonObject, problems: ConfigurationProblem[]) => Promise<void>) | null
  /** Reads and edits the backends of the configuration file; null when this run has none. */
  configured: Pick<ConfiguredBackends, 'add' | 'read' | 'edit' | 'turn' | 'remove' | 'restore'> | null
  /** Backends that are turned off in it. */
  off: () => readonly OffBackend[]
  /** How often another configuration was applied. */
  applied: () => number
  /** Backends that stand in no file. */
  isOfDemo: (backend: string) => boolean
  /** Where recorded calls are sent again. */
  replayTarget: ReplayTarget
  /** Settings in the configuration file; null when this run has none. Both reject in words. */
  settings: {
    read(): Promise<SettingValues>
    set(path: readonly string[], value: JsonValue): Promise<SettingValues>
  } | null
  secrets: SecretSources
  /** Servers in the configuration files of other tools; null when this run has no file to add them to. */
  imports: ServerImports | null
  compose: ComposeSources
  /** The embedded demo; null when this run has none. */
  demo: DemoSwitch | null
}

export interface ServerImports {
  files(): Promise<OfferedFile[]>
  /** Adds one server to the configuration. Rejects in words. */
  add(server: OfferedServer): Promise<void>
}
export interface OfferedFile {
  client: string
  scope: 'user' | 'project'
  file: string
  entries: OfferedServer[]
  problem: string | null
}
export interface OfferedServer {
  name: string
  as: string
  /** In the shape of the configuration. */
  entry: JsonObject
  problem: string | null
}

export interface DemoSwitch {
  running(): boolean
  set(running: boolean): void | Promise<void>
}
