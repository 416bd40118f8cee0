import { describe, expect, it } from 'vitest'
import { findLines, formatPath, linesInSight, readJsonLines, scanJson, type JsonLines } from './json-lines'

/** Prints lines the way the tree does. */
function print(lines: JsonLines, sight = linesInSight(lines, new Set())): string[] {
  return sight.map((line) => {
    const key = lines.key(line)
    const indent = '  '.repeat(lines.depth(line)) + (key === '' ? '' : `${key}: `)
    const comma = lines.kind(line) !== 'open' && lines.hasComma(line) ? ',' : ''
    const value =
      lines.kind(line) === 'open' ? lines.text[lines.start(line)] : lines.text.slice(lines.start(line), lines.end(line))
    return indent + value + comma
  })
}

describe('readJsonLines', () => {
  it('shows the text as it was spelled: numbers, escapes, order, duplicates', () => {
    const text = '{"b":1.0, "a":12345678901234567890,"a":-0e+1 ,"s":"\\u0041\\n","l":[true,null,{}],"e":[ ]}'
    expect(print(readJsonLines(text))).toEqual([
      '{',
      '  "b": 1.0,',
      '  "a": 12345678901234567890,',
      '  "a": -0e+1,',
      '  "s": "\\u0041\\n",',
      '  "l": [',
      '    true,',
      '    null,',
      '    {}',
      '  ],',
      '  "e": [ ]',
      '}',
    ])
  })

  it('agrees with JSON.parse about what is JSON', () => {
    for (const text of ['1', '"x"', 'null', ' [1,[2,[]],{"a":{"b":[]}}]\n', '{"a":{"a":{"a":[1,2,3]}}}', '[[],[[]]]']) {
      expect(readJsonLines(text).problem, text).toBeNull()
      expect(JSON.parse(print(readJsonLines(text)).join('\n'))).toEqual(JSON.parse(text))
    }
    for (const text of [
      '',
      ' ',
      '{',
      '[1,]',
      '{"a"}',
      '{"a":}',
      '{a:1}',
      '01',
      '1 2',
      '"a\nb"',
      '"open',
      '[1}',
      '{"a":1,}',
      'nul',
      '+1',
      '.5',
      '[',
      '"\\',
    ]) {
      expect(() => JSON.parse(text), text).toThrow()
      expect(readJsonLines(text).problem, text).not.toBeNull()
    }
  })

  it('keeps what it could read of a broken or cut text, and the rest as it is', () => {
    const lines = readJsonLines('{"a":1,"b":[2,"cut her')
    expect(lines.problem).toEqual({ message: 'a string without end', offset: 14 })
    expect(print(lines)).toEqual(['{', '  "a": 1,', '  "b": [', '    2', '"cut her'])
    expect(linesInSight(lines, new Set([0]))).toEqual([0, 1, 2, 3, 4])
  })

  it('reads deep nesting without a deep stack', () => {
    const deep = '['.repeat(20_000) + ']'.repeat(20_000)
    expect(readJsonLines(deep).problem).toBeNull()
  })

  it('gives way while it reads a long text', () => {
    const scan = scanJson(JSON.stringify(Array.from({ length: 40_000 }, (_, index) => index)))
    let pauses = 0
    while (scan.next().done !== true) pauses++
    expect(pauses).toBeGreaterThan(2)
  })
})

describe('places in the text', () => {
  const text = '{"params":{"name":"a","list":[10,{"x~/y":1}]},"id":7}'
  const lines = readJsonLines(text)
  it('folds objects and arrays', () => {
    expect(print(lines, linesInSight(lines, new Set([1])))).toEqual(['{', '  "params": {', '  "id": 7', '}'])
    expect(lines.size(1)).toBe(2)
  })
  it('knows the path and the value of a line', () => {
    const line = lines.lineAt(text.indexOf('1}]'))
    expect(lines.path(line)).toEqual(['params', 'list', 1, 'x~/y'])
    expect(formatPath(lines.path(line))).toBe('$.params.list[1]["x~/y"]')
    expect(lines.value(lines.parent(line))).toBe('{"x~/y":1}')
    expect(lines.value(lines.match(lines.parent(line)))).toBe('{"x~/y":1}')
  })
  it('finds the line of a JSON Pointer, or the nearest above', () => {
    expect(lines.key(lines.lineOfPointer('/id'))).toBe('"id"')
    expect(lines.path(lines.lineOfPointer('/params/list/1/x~0~1y'))).toEqual(['params', 'list', 1, 'x~/y'])
    expect(lines.path(lines.lineOfPointer('/params/requestState'))).toEqual(['params'])
    expect(lines.lineOfPointer('')).toBe(0)
  })
  it('searches keys and values', () => {
    expect(findLines(lines, 'NAME', 10)).toEqual([2])
    expect(findLines(lines, '1', 1)).toHaveLength(1)
    expect(findLines(lines, '', 10)).toEqual([])
  })
})
