import { useState, type FocusEvent, type KeyboardEvent } from 'react'

const STEPS: Readonly<Record<string, (at: number, last: number) => number>> = {
  ArrowDown: (at, last) => Math.min(last, at + 1),
  ArrowUp: (at) => Math.max(0, at - 1),
  Home: () => 0,
  End: (_at, last) => last,
}

export interface Roving {
  /** Of the list: arrows, Home and End move in it. */
  list: { onKeyDown: (event: KeyboardEvent<HTMLElement>) => void; onFocus: (event: FocusEvent<HTMLElement>) => void }
  /** Of each item: the list is one stop of the Tab key. */
  item: (key: string) => { 'data-rove': string; tabIndex: number }
  /** Brings the keyboard into a list, for instance out of the box that searches it. */
  enter: (list: ParentNode | null) => void
}

/**
 * A list that the Tab key stops at once, at the item that was looked at last, or `begin`. `keys` are those of the items in
 * their order.
 */
export function useRoving(keys: readonly string[], begin: string | undefined): Roving {
  const [last, setLast] = useState<string | null>(null)
  const stop = last !== null && keys.includes(last) ? last : (begin ?? keys[0])
  return {
    list: {
      onFocus: ({ target }) => {
        if (target.dataset.rove !== undefined) setLast(target.dataset.rove)
      },
      onKeyDown: (event) => {
        const { key, target, currentTarget } = event
        const step = STEPS[key]
        const items = [...currentTarget.querySelectorAll<HTMLElement>('[data-rove]')]
        const at = items.findIndex((each) => each === target)
        // The list itself may have the keyboard, where it is scrolled.
        if (step === undefined || (at < 0 && target !== currentTarget)) return
        event.preventDefault()
        items[step(at, items.length - 1)]?.focus()
      },
    },
    item: (key) => ({ 'data-rove': key, tabIndex: key === stop ? 0 : -1 }),
    enter: (list) => list?.querySelector<HTMLElement>('[data-rove][tabindex="0"]')?.focus(),
  }
}
