import type { CaptureHeader } from '../../shared/capture/events'

/** Backends in the example; it is there to be changed. */
const MOST_IN_EXAMPLE = 2
const ELSEWHERE = 'http://127.0.0.1:3001/mcp'

/** What to write where no configuration was named and none is in the data folder: the backends that the capture has. */
export function noConfigurationText(configFile: string, backends: CaptureHeader['backends']): string {
  const names = backends.length === 0 ? [{ name: 'weather', type: 'http' }] : backends.slice(0, MOST_IN_EXAMPLE)
  const entries = names.map(({ name, type, url }): [string, object] => [
    name,
    type === 'stdio' ? { command: 'node', args: ['server.js'] } : { url: url ?? ELSEWHERE },
  ])
  const example = JSON.stringify({ mcpServers: Object.fromEntries(entries) })
  const more = backends.length - names.length
  return (
    `it is not said which backends the calls go to: ${configFile} does not exist. Write them into a file, for instance ` +
    `${example}${more > 0 ? ` with ${more} more` : ''}, and name it with --config FILE`
  )
}
