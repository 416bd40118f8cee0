import { expect, it } from 'vitest'
import type { BackendStatus } from '../../shared/api/contract'
import { inOrder } from './rail'

it.each([
  [[], [], []],
  [['a', 'b'], [['x', 1]], ['a', 'x', 'b']],
  [
    ['a'],
    [
      ['x', 0],
      ['y', 1],
      ['z', 3],
    ],
    ['x', 'y', 'a', 'z'],
  ],
  [['a'], [['x', 7]], ['a', 'x']],
] as [string[], [string, number][], string[]][])(
  'lists %j and, turned off, %j in the order of the file',
  (on, off, all) => {
    const backends = on.map((name) => ({ name, health: 'ready' }) as BackendStatus)
    const listed = inOrder({ backends, off: off.map(([name, place]) => ({ name, type: 'http', place })) })
    expect(listed.map(({ name }) => name)).toEqual(all)
  },
)
