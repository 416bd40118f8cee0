import type { BackendStatus, CommandName, Commands, DeskStatus } from '../../shared/api/contract'
import { foldCall } from '../../shared/capture/fold'
import { findingsOf } from '../../shared/findings'
import { backendStatus } from './backend-status'
import { clipEvents } from './clip-events'
import { CommandFailure } from './command-failure'
import { composeCommands } from './compose-commands'
import type { ControlSources } from './control-sources'
import { importCommands } from './imports'

export type Handlers = {
  [N in CommandName]: (
    request: Commands[N]['request'],
    signal: AbortSignal,
  ) => Commands[N]['response'] | Promise<Commands[N]['response']>
}

const DEFAULT_LIMIT = 1_000
/** A call of more events is shown by its beginning and its end. */
const FIRST_EVENTS = 2_000
const LAST_EVENTS = 18_000

/** The commands of the contract; each throws `CommandFailure` for what cannot be done. */
export function createHandlers(sources: ControlSources, status: () => DeskStatus): Handlers {
  const { recorder, gateway } = sources
  const imports = importCommands(sources)

  function unknownCall(call: number): CommandFailure {
    return new CommandFailure('not-found', `call ${call} is not in memory`, 'older calls are in the capture file only')
  }

  function knownBackend(backend: string): void {
    const names = gateway.backends().map(({ name }) => name)
    if (names.includes(backend)) return
    const hint = names.length === 0 ? 'none is configured' : `configured are ${names.join(', ')}`
    throw new CommandFailure('not-found', `there is no backend "${backend}"`, hint)
  }

  function statusOf(backend: string): BackendStatus {
    const status = backendStatus(gateway, backend)
    if (status !== undefined) return status
    throw new CommandFailure('not-found', `the backend "${backend}" was taken out meanwhile`, 'add it again')
  }

  return {
    'desk.status': () => status(),

    'calls.list': ({ after, limit }) => recorder.index.list(after, limit ?? DEFAULT_LIMIT),

    async 'call.events'({ call }) {
      const whole = await recorder.events(call)
      if (recorder.index.get(call) === undefined) throw unknownCall(call)
      const omitted = Math.max(0, whole.length - FIRST_EVENTS - LAST_EVENTS)
      const shown = omitted === 0 ? whole : [...whole.slice(0, FIRST_EVENTS), ...whole.slice(-LAST_EVENTS)]
      const { events, clipped } = clipEvents(shown)
      const partial = omitted > 0 || clipped.length > 0
      return {
        events,
        clipped,
        header: recorder.header,
        ...(omitted > 0 && { omitted }),
        ...(partial && { findings: findingsOf(foldCall(omitted > 0 ? shown : whole)) }),
      }
    },

    async 'call.text'({ call, seq }) {
      const found = await recorder.text(call, seq)
      if (recorder.index.get(call) === undefined) throw unknownCall(call)
      if ('text' in found) return found
      throw new CommandFailure('not-found', found.problem, 'look into the capture file')
    },

    'operation.calls': ({ operation }) => ({ calls: recorder.index.operation(operation) }),

    'calls.search': async ({ text }, signal) => ({ calls: await recorder.search(text, signal) }),

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

    async 'config.addBackend'({ name, ...backend }) {
      if (sources.addBackend === null) {
        throw new CommandFailure('failed', 'this run has no configuration file', 'start Sluice with --config FILE')
      }
      await sources.addBackend(name, backend)
      return { added: name }
    },

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
