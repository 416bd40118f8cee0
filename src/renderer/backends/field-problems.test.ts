import { expect, it } from 'vitest'
import { fieldProblems, problemWords } from './field-problems'

const problem = (at: (string | number)[], message = 'is wrong', fix = 'correct it') => ({ at, message, fix })

it('puts what is wrong to the fields, and the rest aside', () => {
  const problems = [
    problem(['mcpServers', 'one', 'url']),
    problem(['mcpServers', 'one', 'headers', 'X‮']),
    problem(['mcpServers', 'one', 'headers', 'Host'], 'is no name'),
    problem(['mcpServers', 'one', 'args', 1]),
    problem(['mcpServers', 'one', 'heders'], 'is not a known key', 'did you mean "headers"?'),
    problem(['mcpServers', 'one'], 'exists already'),
    problem([], 'is read-only'),
  ]
  const found = fieldProblems({ code: 'failed', message: 'x', problems })
  expect(found.of('url')).toBe('It is wrong: correct it.')
  expect(found.of('headers')).not.toContain('‮')
  expect(found.of('headers')).toMatch(/^"X.*" is wrong: correct it\. "Host" is no name: correct it\.$/)
  expect(found.of('args')).toBe('No. 2 is wrong: correct it.')
  expect(found.of('env')).toBeNull()
  expect(found.others(['url', 'headers', 'args']).map(problemWords)).toEqual([
    'heders is not a known key: did you mean "headers"?',
    'The entry exists already: correct it.',
    'The file is read-only: correct it.',
  ])
  expect(fieldProblems(null).of('url')).toBeNull()
})
