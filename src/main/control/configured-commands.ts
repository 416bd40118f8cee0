import type { Commands } from '../../shared/api/contract'
import { CommandFailure } from './command-failure'
import type { ControlSources } from './control-sources'

type Names =
  | 'config.addBackend'
  | 'config.backend'
  | 'config.editBackend'
  | 'config.turnBackend'
  | 'config.removeBackend'
  | 'config.restoreBackend'
type Handlers = { [N in Names]: (request: Commands[N]['request']) => Promise<Commands[N]['response']> }

/** The commands about the entries of backends in the configuration file. */
export function configuredCommands({
  configured,
  isOfDemo,
}: Pick<ControlSources, 'configured' | 'isOfDemo'>): Handlers {
  function inFile(name?: string): NonNullable<ControlSources['configured']> {
    if (configured === null)
      throw new CommandFailure('failed', 'this run has no configuration file', 'start Sluice with --config FILE')
    if (name !== undefined && isOfDemo(name))
      throw new CommandFailure('failed', `"${name}" is part of the demo and stands in no file`, 'start without --demo')
    return configured
  }
  return {
    'config.addBackend': async ({ name, entry }) => ({ added: name, ...(await inFile().add(name, entry)) }),
    'config.backend': async ({ name }) => inFile(name).read(name),
    'config.editBackend': async (change) => ({
      name: change.newName,
      ...(await inFile(change.name).edit(change)),
    }),
    'config.turnBackend': async ({ name, on, version }) => inFile(name).turn(name, on, version),
    'config.removeBackend': async ({ name, version }) => inFile(name).remove(name, version),
    'config.restoreBackend': async ({ undo }) => inFile().restore(undo),
  }
}
