import { dirname, resolve } from 'node:path'
import { configurationProblem, type ConfigurationProblem } from '../shared/config/problem'
import type { Configuration } from '../shared/config/schema'
import { isSameFile } from './capture/same-file'

/** What answers as a backend must not be written at the same time: which backend plays what this run records to. */
export function playedRecording(
  captureFile: string | null,
  { mcpServers }: Configuration,
): ConfigurationProblem | undefined {
  if (captureFile === null) return undefined
  for (const [name, config] of Object.entries(mcpServers)) {
    if (config.type !== 'replay' || !isSameFile(config.file, captureFile)) continue
    const message = `${config.file} is the file that this run records to`
    const fix = 'name another file with --capture, or play another one'
    return configurationProblem(['mcpServers', name, 'file'], message, fix)
  }
  return undefined
}

/** Captures that answer as backends are in use, also those of earlier runs. */
export function playedCaptures({ mcpServers }: Configuration, configFile: string): ReadonlySet<string> {
  const files = Object.values(mcpServers).flatMap((config) => (config.type === 'replay' ? [config.file] : []))
  return new Set(files.map((file) => resolve(dirname(configFile), file)))
}
