import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { randomFrom, type Random } from '../../../test/capture/random'
import { NO_SECRETS } from '../../shared/config/secrets'
import { isObject, type JsonObject, type JsonValue } from '../../shared/protocol/json-rpc'
import { ConfiguredBackends } from './configured-backends'
import { maskEntry } from './kept-values'
import { parseDocument } from './parse-document'
import { findEntry, findServers } from './servers-of-file'
import { unmaskEntry } from './unmask-entry'

const ROUNDS = 150
let folder = ''
let file = ''
let backends: ConfiguredBackends
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-bytes-'))
  file = join(folder, 'sluice.json')
  const nothing = { spellings: () => [], refuse: async () => [] }
  backends = new ConfiguredBackends({ file, env: {}, secrets: NO_SECRETS, ...nothing })
})
afterAll(() => rm(folder, { recursive: true }))

/** A file as people write them: comments anywhere, odd white space, commas at the end or not. */
function randomFile(random: Random): { text: string; names: string[] } {
  const eol = random.pick(['\n', '\n', '\r\n'])
  const space = (): string =>
    Array.from({ length: random.below(3) }, () =>
      random.pick([' ', '  ', '\t', eol, `${eol}    `, `// ${random.pick(['"a": 1,', 'x', '}'])}${eol}`, '/* , } */']),
    ).join('')
  const print = (value: JsonValue | undefined): string => {
    if (Array.isArray(value)) return list('[', value.map(print), ']')
    if (!isObject(value)) return JSON.stringify(value)
    return list(
      '{',
      Object.entries(value).map(([key, one]) => `${JSON.stringify(key)}${space()}:${space()}${print(one)}`),
      '}',
    )
  }
  const list = (open: string, items: string[], close: string): string => {
    const inner = items.map((item) => space() + item + space()).join(',')
    return open + inner + (items.length > 0 && random.below(3) === 0 ? ',' : '') + space() + close
  }
  const names = ['weather', 'files', 'a-b', 'z'].slice(0, 1 + random.below(4))
  const entry = (): JsonObject => ({
    url: `http://127.0.0.1:${random.below(9) + 1}/mcp`,
    ...(random.below(2) === 0 && {
      headers: { 'X-A': random.pick(['secret-value', '${A:-b}']), 'X-B': 'other-value' },
    }),
    ...(random.below(2) === 0 && { include: ['a*', 'b'].slice(0, random.below(3)) }),
    ...(random.below(3) === 0 && { disabled: random.below(2) === 0 }),
  })
  const servers = Object.fromEntries(names.map((name) => [name, entry()]))
  const root = { gateway: { port: 0 }, [random.pick(['mcpServers', 'servers'])]: servers }
  return { text: random.pick(['', '\uFEFF']) + print(root) + space(), names }
}

const valuesOf = (text: string): JsonObject => findServers(text, file).entries
/** Where the member begins and ends. */
const spanOf = (text: string, name: string): [before: string, after: string] => {
  const { offset, length } = findEntry(text, file, findServers(text, file), name).member
  return [text.slice(0, offset), text.slice(offset + length)]
}
const visible = (text: string): string => text.replace(/\s/g, '')

describe('of a file of any layout', () => {
  it('an edit changes the characters of that entry only', async () => {
    const random = randomFrom(3)
    for (let round = 0; round < ROUNDS; round++) {
      const { text, names } = randomFile(random)
      await writeFile(file, text)
      const name = random.pick(names)
      const { entry, version } = await backends.read(name)
      const { include: _, ...rest } = entry
      const changed = random.pick<JsonObject>([
        { ...entry, url: 'https://new.example/mcp' },
        { ...entry, era: 'modern', rename: { a: 'b' } },
        { ...entry, headers: { ...(isObject(entry.headers) ? entry.headers : {}), 'X-C': 'new' } },
        { ...entry, include: ['one', 'two', 'three'] },
        rest,
      ])
      const newName = random.pick([name, 'renamed'])
      await backends.edit({ name, newName, entry: JSON.stringify(changed), version })
      const edited = await readFile(file, 'utf8')
      expect(spanOf(edited, newName), text).toEqual(spanOf(text, name))
      expect(Object.keys(valuesOf(edited))).toEqual(
        Object.keys(valuesOf(text)).map((one) => (one === name ? newName : one)),
      )
      const { kept } = maskEntry(valuesOf(text)[name] as JsonObject, [])
      expect(valuesOf(edited)[newName]).toEqual(unmaskEntry(changed, kept, [], []).entry)
    }
  })

  it('turning off and on changes the characters of that entry only', async () => {
    const random = randomFrom(4)
    for (let round = 0; round < ROUNDS; round++) {
      const { text, names } = randomFile(random)
      await writeFile(file, text)
      const name = random.pick(names)
      await backends.turn(name, false)
      const off = await readFile(file, 'utf8')
      expect(spanOf(off, name), text).toEqual(spanOf(text, name))
      expect(valuesOf(off)).toEqual({
        ...valuesOf(text),
        [name]: { ...(valuesOf(text)[name] as object), disabled: true },
      })
      await backends.turn(name, true)
      const on = await readFile(file, 'utf8')
      expect(spanOf(on, name), text).toEqual(spanOf(text, name))
      const { disabled: _, ...rest } = valuesOf(text)[name] as JsonObject
      expect(valuesOf(on)[name]).toEqual(rest)
    }
  })

  it('removing takes that entry and one comma, and undoing it brings every character back', async () => {
    const random = randomFrom(5)
    for (let round = 0; round < ROUNDS; round++) {
      const { text, names } = randomFile(random)
      await writeFile(file, text)
      const name = random.pick(names)
      const { undo } = await backends.remove(name)
      const without = await readFile(file, 'utf8')
      const { [name]: _, ...others } = valuesOf(text)
      expect(parseDocument(without).problems, text).toEqual([])
      expect(valuesOf(without)).toEqual(others)
      const [before, after] = spanOf(text, name).map(visible)
      const rest = visible(without)
      const withoutComma = [...`${before ?? ''}${after ?? ''}`]
      // One comma less, wherever it stood, or none where it was the only entry.
      const missing = withoutComma.length - rest.length
      expect(missing, text).toBeLessThanOrEqual(1)
      let at = 0
      const left = withoutComma.filter((character) => (rest[at] === character ? (at++, false) : true))
      expect(left.join(''), text).toBe(missing === 1 ? ',' : '')
      await backends.restore(undo)
      expect(await readFile(file, 'utf8')).toBe(text)
    }
  })
})
