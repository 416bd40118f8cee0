import type { CommandError, DeskConnection } from '../../shared/api/contract'
import { toCommandError } from '../connection/command-failure'

const AGAIN_MS = 1_000

export interface SearchState {
  /** True while bodies are being searched. */
  searching: boolean
  searchError: CommandError | null
}

export interface BodySearchOptions {
  connection: Pick<DeskConnection, 'command'>
  later: (task: () => void, delayMs: number) => void
}

/** Finds the calls in whose bodies the texts of the filter occur, and again when calls came. */
export class BodySearch {
  readonly #options: BodySearchOptions
  /** `found`: there are other hits now. */
  readonly #onState: (state: Partial<SearchState>, found: boolean) => void
  #texts: readonly string[] = []
  #hits = new Map<string, ReadonlySet<number>>()
  #run = 0
  #againDue = false

  constructor(options: BodySearchOptions, onState: (state: Partial<SearchState>, found: boolean) => void) {
    this.#options = options
    this.#onState = onState
  }

  /** Calls by text; one that was not searched yet is missing. */
  get hits(): ReadonlyMap<string, ReadonlySet<number>> {
    return this.#hits
  }

  forget(): void {
    this.#run++
    this.#hits = new Map()
  }

  find(texts: readonly string[]): void {
    this.#texts = texts
    if (texts.length > 0) void this.#search(++this.#run)
  }

  callsCame(): void {
    if (this.#texts.length === 0 || this.#againDue) return
    this.#againDue = true
    this.#options.later(() => {
      this.#againDue = false
      if (this.#texts.length > 0) void this.#search(this.#run)
    }, AGAIN_MS)
  }

  async #search(run: number): Promise<void> {
    this.#onState({ searching: true }, false)
    try {
      const hits = new Map<string, ReadonlySet<number>>()
      for (const text of this.#texts) {
        const { calls } = await this.#options.connection.command('calls.search', { text })
        if (run !== this.#run) return
        hits.set(text, new Set(calls))
      }
      this.#hits = hits
      this.#onState({ searching: false, searchError: null }, true)
    } catch (reason) {
      if (run === this.#run) this.#onState({ searching: false, searchError: toCommandError(reason) }, false)
    }
  }
}
