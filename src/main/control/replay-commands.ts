import { resolve } from 'node:path'
import type { ReplayCommands } from '../../shared/api/replay'
import { configurationProblem } from '../../shared/config/problem'
import { ReplayBackendConfig } from '../../shared/config/schema'
import { OutputError, writeOutput } from '../capture/export/output-file'
import type { CaptureUploads } from './capture-uploads'
import { CommandFailure } from './command-failure'
import type { ControlSources } from './control-sources'
import type { OpenedCaptures } from './opened-captures'
import type { Replays } from './replays'

export type ReplayHandlers = {
  [N in keyof ReplayCommands]: (
    request: ReplayCommands[N]['request'],
  ) => ReplayCommands[N]['response'] | Promise<ReplayCommands[N]['response']>
}

function copyFailure(): CommandFailure {
  const hint = 'open the file by its path, or export it as a capture first, and use that one'
  return new CommandFailure('failed', 'this capture is a copy that goes when it is closed', hint)
}

/** The commands of replay. */
export function replayCommands(
  { recorder, addEntry }: Pick<ControlSources, 'recorder' | 'addEntry'>,
  opened: OpenedCaptures,
  uploads: CaptureUploads,
  replays: Replays,
): ReplayHandlers {
  const nameOf = (capture: string): string => opened.list().find(({ id }) => id === capture)?.name ?? capture

  return {
    'replay.plan': ({ capture, ...options }) =>
      capture === undefined
        ? replays.plan({ capture: null, name: 'this run', view: recorder }, options)
        : replays.plan({ capture, name: nameOf(capture), view: opened.view(capture) }, options),

    'replay.start'(request) {
      replays.start(request)
      return {}
    },
    'replay.pause'({ replay, paused }) {
      replays.pause(replay, paused)
      return {}
    },
    'replay.stop'({ replay }) {
      replays.stop(replay)
      return {}
    },
    'replay.show': ({ replay }) => replays.show(replay),

    async 'replay.keep'({ replay }) {
      const capture = replays.list().find(({ id }) => id === replay)?.capture ?? null
      if (capture === null)
        throw new CommandFailure(
          'failed',
          'only answers of an opened capture can be kept',
          'export this run, and open it',
        )
      const view = opened.view(capture)
      if (opened.isCopy(capture)) throw copyFailure()
      const { path: file } = view
      const { updated, kept } = await replays.keep(replay, view)
      if (updated > 0) {
        // The file is another one now.
        await opened.close(capture)
        await opened.open(file)
      }
      return { file, updated, kept }
    },

    async 'replay.save'({ replay, to, replace }) {
      const { report } = replays.show(replay)
      if (report === null) throw new CommandFailure('failed', 'this replay is not done yet', 'wait for its report')
      const file = resolve(to)
      try {
        await writeOutput(file, { replace }, (output) => output.write(`${JSON.stringify(report, null, 2)}\n`))
      } catch (error) {
        if (!(error instanceof OutputError)) throw error
        throw new CommandFailure('failed', error.message, 'choose another file')
      }
      return { file }
    },

    'replay.close'({ replay }) {
      replays.close(replay)
      return {}
    },
    'replay.list': () => ({ replays: replays.list() }),

    async 'replay.addBackend'({ capture, name, backend }) {
      const { path } = opened.view(capture)
      if (addEntry === null)
        throw new CommandFailure('failed', 'this run has no configuration file', 'start Sluice with --config FILE')
      if (uploads.has(path) || opened.isCopy(capture)) throw copyFailure()
      const entry = { type: 'replay', file: path, ...(backend !== undefined && { backend }) }
      const { error } = ReplayBackendConfig.safeParse(entry)
      const problems = (error?.issues ?? []).map((issue) =>
        configurationProblem(['mcpServers', name, ...issue.path.map(String)], issue.message, 'choose another capture'),
      )
      await addEntry(name, entry, problems)
      return { added: name }
    },
  }
}
