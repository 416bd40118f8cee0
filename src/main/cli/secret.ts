import { type Command } from 'commander'
import { dataDirectory } from '../places'
import { SecretProblem, SecretVault } from '../config/secrets/secret-vault'
import { CANNOT } from './terminal'

interface SecretFlags {
  data: string
}

/**
 * What can be done about secrets without Electron, whose safeStorage has the key: to see which there are, and to take
 * one out.
 */
export function addSecretCommand(program: Command): void {
  const secret = program
    .command('secret')
    .description('the secrets that the desktop application keeps for ${secret:NAME} in the configuration')
  withFlags(secret.command('list').description('names of the secrets; values are shown nowhere')).action(list)
  withFlags(secret.command('remove').argument('<name>').description('take a secret out')).action(remove)
  withFlags(secret.command('set').argument('<name>').description('says how a secret is set: not here')).action(set)
}

function withFlags(command: Command): Command {
  return command.option('--data <folder>', 'the data folder', dataDirectory())
}

function list({ data }: SecretFlags): Promise<void> {
  const vault = new SecretVault(data, null)
  return attempt(() => {
    const kept = vault.list()
    if (kept.length === 0) return console.log(`no secrets in ${vault.file}`)
    const width = Math.max(...kept.map(({ name }) => name.length)) + 3
    for (const { name, changedAt } of kept) console.log(`${name.padEnd(width)}set ${changedAt.slice(0, 10)}`)
  })
}

async function remove(name: string, { data }: SecretFlags): Promise<void> {
  const vault = new SecretVault(data, null)
  await attempt(async () => {
    if (!(await vault.remove(name)))
      throw new SecretProblem(`there is no secret "${name}"`, '`sluice secret list` has their names')
    console.log(`${name} was taken out of ${vault.file}`)
  })
}

function set(name: string): void {
  fail(
    'secrets are encrypted with a key that only the desktop application gets from the system',
    `set ${name} under Secrets in its settings; without a desktop, write \${${name}} into the configuration and set ` +
      'that environment variable',
  )
}

async function attempt(work: () => void | Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (error instanceof SecretProblem) return fail(error.message, error.hint)
    fail(error instanceof Error ? error.message : String(error))
  }
}

function fail(message: string, hint?: string): void {
  console.error(`sluice: ${message}${hint === undefined ? '' : `; ${hint}`}`)
  process.exitCode = CANNOT
}
