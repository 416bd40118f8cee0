import type { NewBackend } from '../../shared/api/contract'
import type { Recorder } from '../capture/recorder'
import type { Gateway } from '../gateway/gateway'

/** What the desk shows and commands. */
export interface ControlSources {
  version: string
  recorder: Recorder
  gateway: Pick<Gateway, 'base' | 'backends' | 'onBackends' | 'catalog' | 'refresh' | 'counts'>
  configFile: string | null
  /** Adds a backend to the configuration; null when this run has no file for it. Rejects in words. */
  addBackend: ((name: string, backend: NewBackend) => Promise<void>) | null
  /** The embedded demo; null when this run has none. */
  demo: DemoSwitch | null
}

export interface DemoSwitch {
  running(): boolean
  set(running: boolean): void | Promise<void>
}
