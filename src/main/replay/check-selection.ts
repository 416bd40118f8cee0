import type { CaptureSource } from '../backends/replay/capture-source'
import { chooseBackend } from '../backends/replay/choose-backend'
import { configurationProblem, type ConfigurationProblem } from '../../shared/config/problem'
import type { Configuration } from '../../shared/config/schema'

/**
 * What is wrong with replay backends that only their captures tell: which recorded backend is meant. A file that cannot be
 * read is no fault of the configuration: its backend is down, says why, and comes up when the file is there.
 */
export async function checkSelection(
  { mcpServers }: Configuration,
  captures: CaptureSource,
  signal: AbortSignal,
): Promise<ConfigurationProblem[]> {
  const problems: ConfigurationProblem[] = []
  for (const [name, config] of Object.entries(mcpServers)) {
    if (config.type !== 'replay') continue
    const opened = await captures.open(config.file, signal).catch(() => undefined)
    if (opened === undefined) continue
    try {
      const chosen = chooseBackend(opened, name, config.backend)
      const at = ['mcpServers', name, config.backend === undefined ? 'file' : 'backend']
      if ('problem' in chosen) problems.push(configurationProblem(at, `${config.file} ${chosen.problem}`, chosen.fix))
    } finally {
      await opened.close()
    }
  }
  return problems
}
