import { describe, expect, it } from 'vitest'
import type { BackendActivity } from '../../shared/api/contract'
import { matchParts, shownLines } from './output-lines'

const lines: BackendActivity[] = (
  [
    ['started', 'process 7: npx server'],
    ['stderr', 'Listening'],
    ['noise', 'it is no JSON-RPC message: listening'],
    ['exited', 'process 7 exited with code 1'],
    ['state', 'down'],
  ] as const
).map(([kind, text], index) => ({ seq: index + 1, at: index, kind, text }))
const seqs = (kind: Parameters<typeof shownLines>[1], text: string) =>
  shownLines(lines, kind, text).map(({ seq }) => seq)

it('shows lines by kind and text', () => {
  expect(seqs('all', '')).toEqual([1, 2, 3, 4, 5])
  expect(seqs('stderr', '')).toEqual([2])
  expect(seqs('process', '')).toEqual([1, 4, 5])
  expect(seqs('all', 'LISTEN')).toEqual([2, 3])
  expect(seqs('noise', 'process')).toEqual([])
})

describe('matchParts', () => {
  it.each<[string, string, [string, boolean][]]>([
    [
      'a Bb b',
      'b',
      [
        ['a ', false],
        ['B', true],
        ['b', true],
        [' ', false],
        ['b', true],
      ],
    ],
    ['text', '', [['text', false]]],
    ['', 'x', [['', false]]],
    ['İb', 'b', [['İb', false]]],
  ])('%j, looking for %j', (text, wanted, parts) => {
    expect(matchParts(text, wanted)).toEqual(parts.map(([part, match]) => ({ text: part, match })))
  })
})
