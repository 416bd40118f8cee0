import type { SecretsCommands, SecretsStatus, SecretStatus } from '../../shared/api/secrets'
import type { LiveSecrets } from '../config/secrets/live-secrets'
import { SecretProblem, type KeptSecret, type SecretVault } from '../config/secrets/secret-vault'
import { CommandFailure } from './command-failure'

export interface SecretSources {
  vault: Pick<SecretVault, 'file' | 'protection' | 'keeper' | 'list' | 'set' | 'remove'>
  /** Which are used. */
  live: Pick<LiveSecrets, 'names' | 'waiting' | 'spellings'>
}

type Handlers = {
  [N in keyof SecretsCommands]: (request: SecretsCommands[N]['request']) => Promise<SecretsStatus>
}

/** The commands about secrets. No answer carries a value. */
export function secretCommands({ vault, live }: SecretSources): Handlers {
  const status = (): Promise<SecretsStatus> => {
    const { kept, problem } = readable(vault)
    const { protection, keeper, file } = vault
    return Promise.resolve({ protection, keeper, file, problem, secrets: withUse(kept, live.names) })
  }
  return {
    'secrets.list': status,
    'secrets.set': async ({ name, value }) => {
      await done(vault.set(name, value))
      return status()
    },
    'secrets.remove': async ({ name }) => {
      if (!(await done(vault.remove(name))))
        throw new CommandFailure('not-found', `there is no secret "${name}"`, 'read the list again')
      return status()
    },
  }
}

function readable(vault: SecretSources['vault']): { kept: KeptSecret[]; problem: string | null } {
  try {
    return { kept: vault.list(), problem: null }
  } catch (error) {
    return { kept: [], problem: error instanceof Error ? error.message : String(error) }
  }
}

function withUse(kept: readonly KeptSecret[], used: LiveSecrets['names']): SecretStatus[] {
  const missing = used.filter(({ name }) => !kept.some((secret) => secret.name === name))
  const usedBy = (name: string): string[] => used.find((use) => use.name === name)?.backends ?? []
  return [
    ...kept.map((secret) => ({ ...secret, usedBy: usedBy(secret.name) })),
    ...missing.map(({ name, backends }) => ({ name, changedAt: null, readable: false, usedBy: backends })),
  ].sort((a, b) => (a.name < b.name ? -1 : 1))
}

async function done<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof SecretProblem) throw new CommandFailure('failed', error.message, error.hint)
    throw error
  }
}
