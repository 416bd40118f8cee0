type Scroller = Pick<Element, 'scrollTop' | 'scrollHeight' | 'clientHeight'>

/** Pixels from the end that still count as there. */
const NEAR = 6

/** Whether a list that grows at its end is kept there: until the reader scrolls away, and again once back. */
export class EndFollower {
  #height = 0
  #following: boolean

  /** `grows`: it may get longer. What is whole already is read from its beginning. */
  constructor(grows: boolean) {
    this.#following = grows
  }

  get following(): boolean {
    return this.#following
  }

  scrolled({ scrollTop, scrollHeight, clientHeight }: Scroller): void {
    if (scrollHeight - clientHeight - scrollTop < NEAR) this.#following = true
    // A list that is given another height is scrolled by the browser, and tells so as if the reader had done it.
    else if (clientHeight === this.#height) this.#following = false
    this.#height = clientHeight
  }

  /** The list has another height: keeps its end in sight, unless `elsewhere`, where a selected line is kept. */
  resized(element: Scroller, elsewhere = false): void {
    this.#height = element.clientHeight
    if (this.#following && !elsewhere) element.scrollTop = element.scrollHeight
  }
}
