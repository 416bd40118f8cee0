import { describe, expect, it } from 'vitest'
import { FILTER_KEYS, MAX_FILTER_LENGTH, parseFilter, type FilterContext } from './filter'
import { emptySummary } from './summarise'
import type { CallSummary } from './summary'

const context: FilterContext = { now: 100_000_000, bodyHits: new Map([['needle', new Set([7])]]) }

function row(more: Partial<CallSummary> = {}): CallSummary {
  return {
    ...emptySummary(7, 50_000_000),
    endpoint: '/mcp',
    method: 'tools/call',
    target: 'weather__forecast',
    upstreamTarget: 'forecast',
    backend: 'weather',
    backends: ['weather'],
    backendEra: 'modern',
    client: 'Claude Code',
    answer: { form: 'sse', status: 200, cause: 'notification' },
    outcome: 'result',
    endedBy: 'backend',
    endedAt: 53_400_000,
    frames: 12,
    pings: 1,
    progress: 5,
    round: 2,
    ...more,
  }
}

function matches(filter: string, summary = row()): boolean {
  const parsed = parseFilter(filter)
  expect(parsed.problems).toEqual([])
  return parsed.matches(summary, context)
}

describe('what readers put on calls', () => {
  const said = row({ annotation: { mark: 'red', pinned: false, comment: 'slow since Friday' } })
  it.each([
    ['is:marked', said, true],
    ['is:marked', row(), false],
    ['is:pinned', said, false],
    ['is:pinned', row({ annotation: { mark: null, pinned: true, comment: null } }), true],
    ['is:commented', said, true],
    ['-is:commented', row(), true],
    ['mark:red', said, true],
    ['mark:blue', said, false],
    ['comment:friday', said, true],
    ['comment:"slow since"', said, true],
    ['comment:slow*friday', said, true],
    ['comment:slow*since', said, false],
    ['comment:friday', row(), false],
  ])('%s', (filter, summary, expected) => {
    expect(matches(filter, summary)).toBe(expected)
  })
  it('are known colours only', () => {
    expect(parseFilter('mark:beige').problems[0]?.message).toBe('mark: takes red, orange, green, blue, violet')
  })
})

describe('the filter grammar', () => {
  it.each([
    ['', true],
    ['   ', true],
    ['forecast', true],
    ['FORECAST', true],
    ['tools/', true],
    ['weath', true],
    ['booking', false],
    ['-booking', true],
    ['-forecast', false],
    ['"tools/call"', true],
    ['backend:weather', true],
    ['backend:wea*er', true],
    ['backend:wea', true],
    ['backend:wea*z', false],
    ['-backend:weather', false],
    ['BACKEND:weather', true],
    ['method:tools/*', true],
    ['method:tools', true],
    ['method:*list', false],
    ['tool:forecast', true],
    ['tool:weather__*', true],
    ['era:modern', true],
    ['era:legacy', false],
    ['era:m-m', true],
    ['era:M→M', true],
    ['era:m->l', false],
    ['answer:sse', true],
    ['answer:json', false],
    ['status:200', true],
    ['status:>=400', false],
    ['status:100..299', true],
    ['outcome:result', true],
    ['outcome:open', false],
    ['dur:>500ms', true],
    ['dur:<=3.4s', true],
    ['dur:<3400ms', false],
    ['dur:3s..4s', true],
    ['dur:>1m', false],
    ['frames:>3', true],
    ['frames:12', true],
    ['frames:=12', true],
    ['frames:1..11', false],
    ['ping:>0', true],
    ['round:>=2', true],
    ['has:progress', true],
    ['has:log', false],
    ['-has:finding', true],
    ['end:backend', true],
    ['end:client', false],
    ['body:needle', true],
    ['body:"Needle"', true],
    ['-body:needle', false],
    ['body:other', false],
    ['since:1m', true],
    ['since:10s', false],
    ['client:"claude code"', true],
    ['call:7', true],
    ['backend:weather dur:>1s', true],
    ['backend:weather dur:>10s', false],
    ['backend:booking OR backend:weather', true],
    ['backend:booking OR dur:>10s OR has:log', false],
    ['backend:weather has:log OR backend:booking', false],
    ['or', true],
    ['"OR"', true],
    ['"OR" booking', false],
  ])('%s', (filter, expected) => {
    expect(matches(filter)).toBe(expected)
  })

  it('reads quotes with escapes', () => {
    expect(matches('tool:"a \\"b\\" \\\\ c"', row({ target: 'a "b" \\ c' }))).toBe(true)
  })

  it('takes a pasted address as a word', () => {
    const terms = row({ target: 'booking://terms' })
    expect(matches('booking://terms', terms)).toBe(true)
    expect(matches('BOOKING://', terms)).toBe(true)
    expect(matches('-booking://terms', terms)).toBe(false)
    expect(matches('http://elsewhere/', terms)).toBe(false)
  })

  it('does not match ranges of what a row does not have', () => {
    expect(matches('status:<500', row({ answer: null }))).toBe(false)
    expect(matches('-status:<500', row({ answer: null }))).toBe(true)
    expect(matches('answer:none outcome:open', row({ answer: null, outcome: null }))).toBe(true)
  })

  it('counts the duration of an open call up to now', () => {
    expect(matches('dur:>49s', row({ endedAt: null }))).toBe(true)
    expect(matches('dur:>51s', row({ endedAt: null }))).toBe(false)
  })

  it.each([
    ['foo:bar', 0, 7, 'there is no key "foo"'],
    ['urn:x', 0, 5, 'quote a word'],
    ['answer://x', 7, 10, 'takes json, sse'],
    ['dur:5', 4, 5, 'time with its unit'],
    ['dur:>ms', 4, 7, 'time with its unit'],
    ['dur:5s..1s', 4, 10, 'time with its unit'],
    ['frames:many', 7, 11, 'a count'],
    ['answer:xml', 7, 10, 'takes json, sse, none'],
    ['has:toString', 4, 12, 'takes progress'],
    ['has:__proto__', 4, 13, 'takes progress'],
    ['era:x-y', 4, 7, 'm-m'],
    ['since:yesterday', 6, 15, '10m'],
    ['backend:', 0, 8, 'needs a value'],
    ['-', 0, 1, 'nothing to look for'],
    ['""', 0, 2, 'nothing to look for'],
    ['tool:"open', 5, 10, 'the quote does not end'],
    ['OR a', 0, 2, 'before'],
    ['a OR', 2, 4, 'after'],
    ['a OR OR b', 5, 7, 'before'],
  ])('says what is wrong with %s', (filter, from, to, message) => {
    const parsed = parseFilter(filter)
    expect(parsed.ok).toBe(false)
    expect(parsed.problems[0]).toMatchObject({ from, to })
    expect(parsed.problems[0]?.message).toContain(message)
  })

  it.each<[string, number | null]>([
    ['backend:', 8],
    ['x -backend:', 11],
    ['backend:  ', 8],
    ['backend:""', null],
    ['-', 1],
    ['""', null],
    ['foo:bar', null],
    ['tool:"open', 10],
    ['"open ', 6],
    ['OR', null],
    ['a OR', 4],
    ['a OR  ', 6],
    ['answer:j', 8],
    ['answer:JS', 9],
    ['answer:"j"', null],
    ['answer:xml', null],
    ['era:m-', 6],
    ['era:m->', 7],
    ['era:x', null],
    ['since:1', 7],
    ['since:1.', 8],
    ['since:yesterday', null],
    ['dur:>', 5],
    ['dur:>=', 6],
    ['dur:>5', 6],
    ['dur:>5.5u', 9],
    ['dur:>ms', null],
    ['dur:5x', null],
    ['dur:5s.', 7],
    ['dur:5s..', 8],
    ['dur:5s..6', 9],
    ['dur:5s..1s', null],
    ['dur:5..1s', null],
    ['status:>', 8],
    ['status:1.', 9],
    ['status:400..4', 13],
    ['status:400..x', null],
    ['frames:many', null],
  ])('knows whether %s may still become right, and up to where', (filter, openTo) => {
    expect(parseFilter(filter).problems).toMatchObject([{ openTo }])
  })

  it('still filters by what it can read', () => {
    expect(parseFilter('backend:booking dur:>').matches(row(), context)).toBe(false)
    expect(parseFilter('backend:weather dur:>').matches(row(), context)).toBe(true)
  })

  it('names the texts to search for once each', () => {
    expect(parseFilter('body:A OR -body:a body:"b c"').bodyTexts).toEqual(['a', 'b c'])
  })

  it('gives tokens in order that do not overlap', () => {
    const text = '-backend:"a b" OR dur:>1s word nokey:x'
    const tokens = parseFilter(text).tokens
    expect(tokens.map((token) => [text.slice(token.from, token.to), token.kind])).toEqual([
      ['-', 'negation'],
      ['backend:', 'key'],
      ['"a b"', 'value'],
      ['OR', 'operator'],
      ['dur:', 'key'],
      ['>1s', 'value'],
      ['word', 'word'],
      ['nokey:x', 'problem'],
    ])
  })

  it('never throws and stays in bounds, whatever is typed', () => {
    let seed = 42
    const random = (below: number): number => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
      return seed % below
    }
    const pieces = [
      '-',
      ':',
      '"',
      '\\',
      ' ',
      'OR',
      'dur',
      '>',
      '..',
      '5',
      's',
      'backend',
      '*',
      'é',
      '\t',
      'body',
      '=',
      'has',
    ]
    for (let round = 0; round < 3_000; round++) {
      let text = ''
      for (let piece = random(12); piece >= 0; piece--) text += pieces[random(pieces.length)] ?? ''
      const parsed = parseFilter(text)
      expect(typeof parsed.matches(row(), context)).toBe('boolean')
      expect(parsed.ok).toBe(parsed.problems.length === 0)
      for (const { from, to } of [...parsed.tokens, ...parsed.problems]) {
        expect(from).toBeLessThan(to)
        expect(to).toBeLessThanOrEqual(text.length)
      }
    }
  })

  it('reads a bounded length only', () => {
    const parsed = parseFilter('a '.repeat(MAX_FILTER_LENGTH))
    expect(parsed.problems[0]?.message).toContain('characters')
  })

  it('filters 100 000 rows well below the time of a keystroke', () => {
    const rows = Array.from({ length: 100_000 }, (_unused, call) => row({ call }))
    const filter = parseFilter('backend:w*r method:tools dur:>1s -has:log OR booking')
    const before = performance.now()
    expect(rows.filter((one) => filter.matches(one, context))).toHaveLength(100_000)
    expect(performance.now() - before).toBeLessThan(1_000)
  })

  it('names every key of the grammar', () => {
    const keys = FILTER_KEYS.map(({ key }) => key)
    const grammar = 'backend method tool era answer status outcome dur frames ping round has end body since'
    for (const key of grammar.split(' ')) expect(keys).toContain(key)
  })
})
