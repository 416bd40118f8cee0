/** Where a configuration finds the values of `${secret:NAME}`. */
export interface SecretSource {
  /** Undefined: there is none of that name that can be read here. */
  value(name: string): string | undefined
  /** Why there is none, and what to do. */
  whyMissing(name: string): { message: string; fix: string }
  /**
   * It can be given while Sluice runs: a backend whose secret is missing is left out until then. Where it cannot, a
   * missing secret makes the configuration unusable.
   */
  settable: boolean
}

/** A backend that is left out until its secrets are there. */
export interface WaitingBackend {
  backend: string
  /** Names of the secrets that are missing. */
  secrets: string[]
}

/** Which secrets a configuration uses. */
export interface SecretUse {
  /** Every name that the backends refer to, and which of them do. */
  names: { name: string; backends: string[] }[]
  /** Values that were put in, and others that look secret: they are redacted wherever they turn up. */
  values: string[]
  waiting: WaitingBackend[]
}

/** For programs without any. */
export const NO_SECRETS: SecretSource = {
  value: () => undefined,
  whyMissing: (name) => ({
    message: `needs the secret ${name}, and there are none here`,
    fix: `use an environment variable: \${${name}}`,
  }),
  settable: false,
}

/** Collects what is used while a configuration is checked. */
export class SecretUseCollector {
  readonly #backends = new Map<string, Set<string>>()
  readonly #values = new Set<string>()
  readonly #waiting = new Map<string, Set<string>>()

  constructor(private readonly source: SecretSource) {}

  /** The value of a secret for `backend`. */
  lookup(backend: string, name: string): string | undefined {
    addTo(this.#backends, name, backend)
    const value = this.source.value(name)
    if (value !== undefined) this.#values.add(value)
    else addTo(this.#waiting, backend, name)
    return value
  }

  get use(): SecretUse {
    return {
      names: [...this.#backends].map(([name, backends]) => ({ name, backends: [...backends] })),
      values: [...this.#values],
      waiting: [...this.#waiting].map(([backend, names]) => ({ backend, secrets: [...names] })),
    }
  }
}

function addTo(map: Map<string, Set<string>>, key: string, value: string): void {
  const known = map.get(key)
  if (known === undefined) map.set(key, new Set([value]))
  else known.add(value)
}
