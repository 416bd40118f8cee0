import { spellingsOf } from '../../../shared/capture/secret-values'
import type { SecretUse, WaitingBackend } from '../../../shared/config/secrets'

/** Which secrets the configuration in force uses, and every value that was used in this run. */
export class LiveSecrets {
  #use: SecretUse
  readonly #values = new Set<string>()
  #spellings: string[] = []

  constructor(use: SecretUse) {
    this.#use = use
    this.#remember(use)
  }

  /** Values stay known when they are not used any more: a server that was started with one may still print it. */
  update(use: SecretUse): void {
    this.#use = use
    this.#remember(use)
  }

  get values(): string[] {
    return [...this.#values]
  }
  /** The values as they may stand in texts. */
  get spellings(): readonly string[] {
    return this.#spellings
  }
  get names(): SecretUse['names'] {
    return this.#use.names
  }
  get waiting(): WaitingBackend[] {
    return this.#use.waiting
  }

  #remember({ values }: SecretUse): void {
    const before = this.#values.size
    for (const value of values) this.#values.add(value)
    if (this.#values.size !== before) this.#spellings = spellingsOf(this.values)
  }
}
