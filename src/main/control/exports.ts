import type { ExportCommands, ExportReport } from '../../shared/api/export'
import { CommandFailure } from './command-failure'
import type { ControlSources } from './control-sources'
import { exportCapture } from './export-commands'
import type { OpenedCaptures } from './opened-captures'

interface Running {
  stop: AbortController
  done: number
  total: number
}

type ExportHandlers = {
  [N in keyof ExportCommands]: (
    request: ExportCommands[N]['request'],
  ) => ExportCommands[N]['response'] | Promise<ExportCommands[N]['response']>
}

/** The exports that are being written: pages ask how far they are, and stop them. */
export function exportCommands(
  sources: Pick<ControlSources, 'recorder' | 'version'>,
  opened: OpenedCaptures,
): ExportHandlers {
  const running = new Map<string, Running>()

  return {
    async 'capture.export'({ export: name, ...request }): Promise<ExportReport> {
      if (name === undefined) return exportCapture(sources, opened, request)
      if (running.has(name)) throw new CommandFailure('failed', 'this export is being written already', 'wait for it')
      const own: Running = { stop: new AbortController(), done: 0, total: 0 }
      running.set(name, own)
      try {
        return await exportCapture(sources, opened, request, {
          signal: own.stop.signal,
          onProgress: (done, total) => Object.assign(own, { done, total }),
        })
      } catch (error) {
        if (own.stop.signal.aborted) throw new CommandFailure('failed', 'the export was stopped', 'no file was written')
        throw error
      } finally {
        running.delete(name)
      }
    },

    'capture.exporting'({ export: name }) {
      const own = running.get(name)
      return { progress: own === undefined ? null : { done: own.done, total: own.total } }
    },

    'capture.stopExport'({ export: name }) {
      running.get(name)?.stop.abort(new Error('stopped'))
      return {}
    },
  }
}
