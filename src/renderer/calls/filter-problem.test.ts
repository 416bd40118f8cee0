import { describe, expect, it } from 'vitest'
import { parseFilter } from '../../shared/capture/filter'
import { problemsOf } from './filter-problem'

describe('problemsOf', () => {
  it.each<[string, string, string | null, string | null]>([
    ['a key without its value, being typed', 'backend:|', null, 'backend: needs a value'],
    ['with more behind the caret', 'backend:| tool:a', null, 'backend: needs a value'],
    ['left by a space', 'backend: |', 'backend: needs a value', null],
    ['left for another term', 'backend: tool:a|', 'backend: needs a value', null],
    ['left with the keyboard elsewhere', 'backend:', 'backend: needs a value', null],
    ['the first letters of one of a few words', 'answer:j|', null, 'answer: takes'],
    ['none of a few words', 'answer:x|', 'answer: takes', null],
    ['a comparison without its number', 'dur:>|', null, 'dur: takes'],
    ['no key at all', 'foo:x|', 'there is no key', null],
    ['an OR that waits', 'a OR |', null, 'OR needs a term'],
    ['something wrong beside what is being typed', 'foo:x backend:|', 'there is no key', 'backend: needs a value'],
    ['one of two that lack their values', 'tool: backend:|', 'tool: needs a value', 'backend: needs a value'],
    ['nothing', '|', null, null],
    ['nothing wrong', 'backend:weather|', null, null],
  ])('%s', (_, typed, wrong, begun) => {
    const caret = typed.indexOf('|')
    const said = problemsOf(parseFilter(typed.replace('|', '')), caret < 0 ? null : caret)
    const begins = (message: string | undefined, text: string | null) =>
      text === null ? expect(message).toBeUndefined() : expect(message).toMatch(new RegExp(`^${text}`))
    begins(said.wrong?.message, wrong)
    begins(said.begun?.message, begun)
  })
})
