import { LEAST_SECRET_LENGTH } from '../../../shared/capture/secret-values'
import { SECRET_NAME } from '../../../shared/config/environment'
import type { SecretSource } from '../../../shared/config/secrets'
import type { SecretCipher, SecretProtection } from './secret-cipher'
import { readSecretEntries, secretsFile, writeSecretEntries, type SecretEntries } from './secret-file'

/** Something about secrets that cannot be done; `message` says what, `hint` what helps. Never carries a value. */
export class SecretProblem extends Error {
  override readonly name = 'SecretProblem'

  constructor(
    message: string,
    readonly hint: string,
  ) {
    super(message)
  }
}

/** A secret without its value, which nobody is told but the backends that use it. */
export interface KeptSecret {
  name: string
  /** ISO 8601. */
  changedAt: string
  /** False: it was encrypted elsewhere, or its key is gone. */
  readable: boolean
}

const LONGEST = 65_536

/**
 * The secrets of one data folder. The file is read at each use: it is small, and the command line may change it while
 * the desk runs.
 */
export class SecretVault implements SecretSource {
  readonly file: string
  readonly settable: boolean
  readonly #listeners = new Set<() => void>()
  #writing: Promise<unknown> = Promise.resolve()

  constructor(
    dataDirectory: string,
    private readonly cipher: SecretCipher | null,
  ) {
    this.file = secretsFile(dataDirectory)
    this.settable = cipher !== null
  }

  get protection(): SecretProtection {
    return this.cipher?.protection() ?? 'none'
  }

  /** Where the key is, for people; null where nothing can be encrypted. */
  get keeper(): string | null {
    return this.cipher === null || this.protection === 'none' ? null : this.cipher.keeper()
  }

  /** By name. Throws in words when the file cannot be read. */
  list(): KeptSecret[] {
    return Object.entries(readSecretEntries(this.file))
      .map(([name, { encrypted, changedAt }]) => ({
        name,
        changedAt,
        readable: this.#decrypted(encrypted) !== undefined,
      }))
      .sort((a, b) => (a.name < b.name ? -1 : 1))
  }

  value(name: string): string | undefined {
    const entry = this.#entry(name)
    return entry === undefined ? undefined : this.#decrypted(entry.encrypted)
  }

  whyMissing(name: string): { message: string; fix: string } {
    const kept = this.#entry(name) !== undefined
    if (this.cipher === null)
      return {
        message: kept
          ? `needs the secret ${name}, which only the desktop application can read: its key is in the keychain`
          : `needs the secret ${name}, which is not set; secrets are kept by the desktop application only`,
        fix: `start the desktop application, or write \${${name}} and set that environment variable`,
      }
    return {
      message: kept ? `needs the secret ${name}, which cannot be decrypted any more` : `needs the secret ${name}`,
      fix: `set ${name} under Secrets in the settings of the desk`,
    }
  }

  /** Keeps a secret, in place of the one of that name. Rejects with `SecretProblem`. */
  async set(name: string, value: string): Promise<void> {
    const cipher = this.cipher
    if (cipher === null || cipher.protection() === 'none')
      throw new SecretProblem(
        cipher === null
          ? 'secrets can be set in the desktop application only'
          : 'this system has no keychain that works',
        `use an environment variable instead: \${${name}}`,
      )
    if (!SECRET_NAME.test(name))
      throw new SecretProblem(
        'this is no name of a secret',
        'use letters, digits, "_", "." and "-", with a letter or "_" first, 64 at most',
      )
    // What cannot be found in traffic cannot be kept out of captures.
    if (value.length < LEAST_SECRET_LENGTH)
      throw new SecretProblem(
        `the secret has fewer than ${LEAST_SECRET_LENGTH} characters, which cannot be told from other text in captures`,
        'use a longer one',
      )
    if (value.length > LONGEST || value.includes('\0'))
      throw new SecretProblem('the secret is too long, or has a NUL character', 'give the text of the secret alone')
    const encrypted = cipher.encrypt(value).toString('base64')
    await this.#change((entries) => ({ ...entries, [name]: { encrypted, changedAt: new Date().toISOString() } }))
  }

  /** Answers whether there was one. Works without the key. */
  async remove(name: string): Promise<boolean> {
    let found = false
    await this.#change((entries) => {
      found = Object.hasOwn(entries, name)
      return Object.fromEntries(Object.entries(entries).filter(([other]) => other !== name))
    })
    return found
  }

  /** Until the returned function is called. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  async #change(edit: (entries: SecretEntries) => SecretEntries): Promise<void> {
    const change = async (): Promise<void> => {
      try {
        await writeSecretEntries(this.file, edit(readSecretEntries(this.file)))
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error)
        throw new SecretProblem(`the secrets were not changed: ${reason}`, `look at ${this.file}`)
      }
    }
    const mine = this.#writing.then(change)
    // One after the other; the next does not fail with the one before.
    this.#writing = mine.catch(() => undefined)
    await mine
    for (const listener of this.#listeners) listener()
  }

  #entry(name: string): SecretEntries[string] | undefined {
    try {
      const entries = readSecretEntries(this.file)
      return Object.hasOwn(entries, name) ? entries[name] : undefined
    } catch {
      // `list` says what is wrong with the file; here there is no secret.
      return undefined
    }
  }

  #decrypted(encrypted: string): string | undefined {
    if (this.cipher === null || this.cipher.protection() === 'none') return undefined
    try {
      return this.cipher.decrypt(Buffer.from(encrypted, 'base64'))
    } catch {
      // Encrypted on another machine, or by another user: it has to be set anew.
      return undefined
    }
  }
}
