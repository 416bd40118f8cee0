/** A place that was looked at: a view, a backend or a call of one source. */
export interface Place {
  /** Null: the live run. */
  source: string | null
  view: string
  backend: string | null
  call: number | null
}

const MOST = 100

/** Where the user was, to go back and forward as in a browser. */
export class History {
  #places: Place[]
  #at = 0

  constructor(first: Place) {
    this.#places = [first]
  }

  /** The user has come to `place`. What lay ahead is forgotten. */
  visit(place: Place): void {
    if (same(this.#places[this.#at], place)) return
    this.#places = [...this.#places.slice(0, this.#at + 1), place].slice(-MOST)
    this.#at = this.#places.length - 1
  }

  /** The place before, or undefined at the beginning. Places of which `still` says no are passed over. */
  back(still: (place: Place) => boolean): Place | undefined {
    return this.#move(-1, still)
  }

  forward(still: (place: Place) => boolean): Place | undefined {
    return this.#move(1, still)
  }

  /** Whether there is a place before (`by` -1) or after (1). */
  has(by: 1 | -1, still: (place: Place) => boolean): boolean {
    return this.#next(by, still) !== undefined
  }

  #move(by: 1 | -1, still: (place: Place) => boolean): Place | undefined {
    const at = this.#next(by, still)
    if (at === undefined) return undefined
    this.#at = at
    return this.#places[at]
  }

  #next(by: 1 | -1, still: (place: Place) => boolean): number | undefined {
    for (let at = this.#at + by; ; at += by) {
      const place = this.#places[at]
      if (place === undefined) return undefined
      if (still(place)) return at
    }
  }
}

function same(one: Place | undefined, other: Place): boolean {
  return (
    one !== undefined &&
    one.source === other.source &&
    one.view === other.view &&
    one.backend === other.backend &&
    one.call === other.call
  )
}
