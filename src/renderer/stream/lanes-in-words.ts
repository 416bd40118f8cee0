import type { TimelineKind } from '../../shared/capture/record'
import { plural } from '../text/format'
import { visibleString } from '../text/visible-text'
import type { LaneMark, Lanes } from './lanes-model'

/** A kind of frame in words, one and many, where it is not called so. */
const WORDS: Partial<Record<TimelineKind, readonly [one: string, many: string]>> = {
  progress: ['progress message', 'progress messages'],
  log: ['log message', 'log messages'],
  'server-request': ['request of the server', 'requests of the server'],
  unreadable: ['unreadable frame', 'unreadable frames'],
}

/** How many frames of each kind are on a lane, which grows in place. */
class LaneCounts {
  readonly #marks: readonly LaneMark[]
  readonly #counts = new Map<TimelineKind, number>()
  #seen = 0

  constructor(marks: readonly LaneMark[]) {
    this.#marks = marks
  }

  words(): string {
    for (; this.#seen < this.#marks.length; this.#seen++) {
      const kind = this.#marks[this.#seen]?.kind
      if (kind !== undefined) this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1)
    }
    if (this.#counts.size === 0) return 'no frames'
    const words = [...this.#counts].map(([kind, count]) => {
      const [one, many] = WORDS[kind] ?? [kind, `${kind}s`]
      return plural(count, one, many)
    })
    return words.join(', ')
  }
}

/** What is on the lanes in words, for those who do not see them. */
export class LanesInWords {
  readonly #counts = new Map<readonly LaneMark[], LaneCounts>()

  of({ client, backends }: Pick<Lanes, 'client' | 'backends'>): string {
    const legs = backends.map(({ name, marks }) => `backend leg ${visibleString(name ?? '')}`.trim() + this.#of(marks))
    return [`client leg${this.#of(client)}`, ...legs].join('; ')
  }

  #of(marks: readonly LaneMark[]): string {
    let counts = this.#counts.get(marks)
    if (counts === undefined) {
      counts = new LaneCounts(marks)
      this.#counts.set(marks, counts)
    }
    return `: ${counts.words()}`
  }
}
