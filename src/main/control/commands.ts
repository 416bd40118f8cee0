import type { BackendStatus, CommandName, Commands, DeskStatus } from '../../shared/api/contract'
import { backendStatus } from './backend-status'
import { captureCommands } from './capture-commands'
import type { CaptureUploads } from './capture-uploads'
import { CommandFailure } from './command-failure'
import { composeCommands } from './compose-commands'
import { configuredCommands } from './configured-commands'
import type { ControlSources } from './control-sources'
import { exportCommands } from './exports'
import { importCommands } from './imports'
import type { OpenedCaptures } from './opened-captures'
import { replayCommands } from './replay-commands'
import type { Replays } from './replays'
import { secretCommands } from './secret-commands'

export type Handlers = {
  [N in CommandName]: (
    request: Commands[N]['request'],
    signal: AbortSignal,
  ) => Commands[N]['response'] | Promise<Commands[N]['response']>
}

/** The commands of the contract; each throws `CommandFailure` for what cannot be done. */
export function createHandlers(
  sources: ControlSources,
  { opened, uploads, replays }: { opened: OpenedCaptures; uploads: CaptureUploads; replays: Replays },
  status: () => DeskStatus,
): Handlers {
  const { recorder, gateway } = sources
  const imports = importCommands(sources)

  function knownBackend(backend: string): void {
    const names = gateway.backends().map(({ name }) => name)
    if (names.includes(backend)) return
    const hint = names.length === 0 ? 'none is configured' : `configured are ${names.join(', ')}`
    throw new CommandFailure('not-found', `there is no backend "${backend}"`, hint)
  }

  function statusOf(backend: string): BackendStatus {
    const status = backendStatus(gateway, backend, sources.isOfDemo)
    if (status !== undefined) return status
    throw new CommandFailure('not-found', `the backend "${backend}" was taken out meanwhile`, 'add it again')
  }

  function settings(): NonNullable<ControlSources['settings']> {
    if (sources.settings !== null) return sources.settings
    throw new CommandFailure('failed', 'this run has no configuration file', 'start Sluice with --config FILE')
  }

  return {
    'desk.status': () => status(),

    ...captureCommands(recorder, opened, uploads),
    ...replayCommands(sources, opened, uploads, replays),
    ...exportCommands(sources, opened),

    'backend.catalog'({ backend }) {
      knownBackend(backend)
      return gateway.catalog(backend)
    },

    async 'backend.refresh'({ backend }) {
      knownBackend(backend)
      await gateway.refresh(backend)
      return statusOf(backend)
    },

    async 'backend.restart'({ backend }) {
      knownBackend(backend)
      const found = gateway.backends().find(({ name }) => name === backend)
      if (found?.restart === undefined) {
        const hint = 'only backends with a command can; start its server anew yourself'
        throw new CommandFailure('failed', `"${backend}" has no process that Sluice could start again`, hint)
      }
      await found.restart()
      return statusOf(backend)
    },

    'backend.activity'({ backend }) {
      knownBackend(backend)
      return { lines: recorder.activities.of(backend) }
    },

    ...configuredCommands(sources),

    'config.settings': () => settings().read(),
    'config.set': ({ path, value }) => settings().set(path, value),

    ...secretCommands(sources.secrets),

    'config.importable': () => imports.list(),
    'config.import': (request) => imports.add(request),

    ...composeCommands(sources.compose),

    'recording.set'({ on }) {
      const after = recorder.setRecording(on)
      if (on && after.file === null) {
        const problem = after.problem ?? 'this run has no capture file'
        throw new CommandFailure('failed', problem, 'start Sluice with --capture FILE')
      }
      return after
    },

    async 'demo.set'({ running }) {
      if (sources.demo === null) {
        throw new CommandFailure('failed', 'this run has no demo', 'start Sluice with --demo')
      }
      await sources.demo.set(running)
      return { running: sources.demo.running() }
    },
  }
}
