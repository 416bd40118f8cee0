import type { Commands, ImportableFile, ImportableServer } from '../../shared/api/contract'
import type { JsonObject } from '../../shared/protocol/json-rpc'
import { isObject } from '../../shared/protocol/json-rpc'
import { commandLine } from '../backends/command-line'
import { CommandFailure } from './command-failure'
import type { ControlSources, OfferedServer, ServerImports } from './control-sources'

/** The commands that take over servers from the configuration of other tools. */
export function importCommands({ imports, gateway }: Pick<ControlSources, 'imports' | 'gateway'>): {
  list: () => Promise<Commands['config.importable']['response']>
  add: (request: Commands['config.import']['request']) => Promise<Commands['config.import']['response']>
} {
  function known(): ServerImports {
    if (imports !== null) return imports
    throw new CommandFailure('failed', 'this run has no configuration file', 'start Sluice with --config FILE')
  }
  const problemOf = ({ as, entry, problem }: OfferedServer): string | null => {
    if (problem !== null) return problem
    if (leadsHere(entry, gateway.base)) return 'it is Sluice itself'
    const taken = gateway.backends().some(({ name }) => name === as)
    return taken ? `there is a backend "${as}" already` : null
  }
  return {
    async list() {
      const files = await known().files()
      return {
        files: files.map(({ client, scope, file, entries, problem }): ImportableFile => ({
          client,
          scope,
          file,
          problem,
          servers: entries.map((server) => shown(server, problemOf(server))),
        })),
      }
    },

    async add({ file, names }) {
      const found = (await known().files()).find((each) => each.file === file)
      if (found === undefined) {
        const hint = 'only the known files of MCP clients are read'
        throw new CommandFailure('not-found', `${file} is no configuration of a known client`, hint)
      }
      const added: string[] = []
      for (const name of names) {
        const server = found.entries.find((each) => each.name === name)
        const problem = server === undefined ? 'it is not in the file any more' : problemOf(server)
        if (server === undefined || problem !== null) {
          const before = added.length === 0 ? '' : `; added before it: ${added.join(', ')}`
          throw new CommandFailure('failed', `"${name}" was not added: ${problem}${before}`, 'read the list again')
        }
        await known().add(server)
        added.push(server.as)
      }
      return { added }
    },
  }
}

function shown({ name, as, entry }: OfferedServer, problem: string | null): ImportableServer {
  const { command, args, url, env, headers } = entry
  const kind = command === undefined ? 'url' : 'command'
  const variables = kind === 'command' ? env : headers
  return {
    name,
    as,
    kind,
    target: kind === 'command' ? commandLine(textOf(command), textsOf(args)) : textOf(url),
    variables: isObject(variables) ? Object.keys(variables) : [],
    problem,
  }
}

/** An entry of this gateway, directly or through `sluice connect`: as a backend it would call itself. */
function leadsHere({ url, args }: JsonObject, base: string): boolean {
  return [textOf(url), ...textsOf(args)].some((text) => text === base || text.startsWith(`${base}/`))
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(textOf) : []
}
