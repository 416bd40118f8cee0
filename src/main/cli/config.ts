import { realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { createInterface } from 'node:readline/promises'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { readClientFile, writeClientFile } from '../client-config/client-file'
import {
  CLIENT_NAMES,
  CLIENTS,
  clientFile,
  type ClientName,
  type Endpoint,
  type McpClient,
  type Scope,
} from '../client-config/clients'
import { withEntry, withoutEntry, type EntryPlace } from '../client-config/entry-edit'
import { unifiedDiff } from '../client-config/unified-diff'
import { ConfigurationError } from '../config/configuration-error'
import { DEFAULT_URL } from '../connect/gateway-at'

interface ConfigFlags {
  client: ClientName
  scope: Scope
  name: string
  url: string
  dryRun: boolean
  yes: boolean
}

type Edit = (text: string, place: EntryPlace, flags: ConfigFlags) => string

export function addConfigCommand(program: Command): void {
  const config = program
    .command('config')
    .description("put Sluice into an MCP client's own configuration, or take it out")
  withFlags(config.command('add').description('add Sluice to a client, or bring its entry up to date'))
    .addOption(
      new Option('--url <url>', 'endpoint of the gateway: all backends, or /mcp/<backend> for one')
        .argParser(parseUrl)
        .default(DEFAULT_URL),
    )
    .action((flags: ConfigFlags) => change(flags, add))
  withFlags(config.command('remove').description('take Sluice out of a client')).action((flags: ConfigFlags) =>
    change(flags, (text, place) => withoutEntry(text, place)),
  )
}

function withFlags(command: Command): Command {
  return command
    .addOption(new Option('--client <client>', 'whose configuration').choices(CLIENT_NAMES).makeOptionMandatory())
    .addOption(
      new Option('--scope <scope>', "this user's file, or the one of the project in this folder")
        .choices(['user', 'project'])
        .default('user'),
    )
    .option('--name <name>', 'name of the entry', parseName, 'sluice')
    .option('--dry-run', 'show what would change, and change nothing', false)
    .option('--yes', 'change it without asking', false)
}

const add: Edit = (text, place, { client, url }) => withEntry(text, place, CLIENTS[client].entry(endpointOf(url)))

async function change(flags: ConfigFlags, edit: Edit): Promise<void> {
  try {
    process.exitCode = await apply(flags, edit)
  } catch (error) {
    console.error(`sluice: ${error instanceof Error ? error.message : String(error)}`)
    process.exitCode = error instanceof ConfigurationError ? 2 : 1
  }
}

/** Answers with the exit code. */
async function apply(flags: ConfigFlags, edit: Edit): Promise<number> {
  const client: McpClient = CLIENTS[flags.client]
  const places = { platform: process.platform, env: process.env, home: homedir(), project: process.cwd() }
  const file = clientFile(client, flags.scope, places)
  if (file === undefined) {
    console.error(`sluice: ${client.title} has no configuration of a project; leave out --scope project`)
    return 2
  }
  const before = await readClientFile(file)
  const after = edit(before.text, { file, key: client.key, name: flags.name }, flags)
  if (after === before.text) {
    console.log(`${file}: nothing to change`)
    return 0
  }
  process.stdout.write(unifiedDiff(file, before.text, after))
  if (flags.dryRun) return 0
  if (!flags.yes && !(await confirmed(file))) return 2
  const backup = await writeClientFile(before, after)
  if (backup !== undefined) console.log(`as it was before: ${backup}`)
  console.log(`${client.title} is configured in ${file}; ${client.then}`)
  return 0
}

async function confirmed(file: string): Promise<boolean> {
  if (process.stdin.isTTY !== true) {
    console.error('sluice: nothing was changed: give --yes to change it, or --dry-run to look only')
    return false
  }
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  try {
    const answer = await terminal.question(`Change ${file}? [y/N] `)
    return /^y(es)?$/i.test(answer.trim())
  } finally {
    terminal.close()
  }
}

/** The command is this very program, by its whole path. */
function endpointOf(url: string): Endpoint {
  return { url, command: process.execPath, args: [realpathSync(process.argv[1] ?? ''), 'connect', '--url', url] }
}

function parseUrl(text: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text
  throw new InvalidArgumentError(`A URL of a gateway is, for instance, ${DEFAULT_URL}.`)
}

function parseName(text: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(text)) return text
  throw new InvalidArgumentError('A name is made of letters, digits, ".", "-" and "_", 64 at most.')
}
