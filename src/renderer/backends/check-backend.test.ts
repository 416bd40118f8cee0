import { expect, it } from 'vitest'
import { BackendName } from '../../shared/config/schema'
import { checkCommand, checkFile, checkHeaders, checkName, checkUrl, checkVariables, wordsOf } from './check-backend'

it('takes what the configuration takes as a name', () => {
  for (const name of [
    'weather',
    'a-b.c_d',
    '9',
    '_x',
    'a9',
    '0x',
    'n'.repeat(64),
    'n'.repeat(65),
    'a__b',
    'a b',
    'ä',
    '-x',
    'a_',
  ]) {
    expect(checkName(name, []) === null, name).toBe(BackendName.safeParse(name).success)
  }
})

it('says what is wrong', () => {
  expect(checkName(' ', [])).toContain('name')
  expect(checkName('weather', ['weather'])).toContain('There is')
  expect(checkName(' weather ', [])).toBeNull()
  expect(checkUrl('x')).toContain('whole URL')
  expect(checkUrl('file:///etc')).toContain('http')
  expect(checkUrl(' https://x/mcp ')).toBeNull()
  expect(checkUrl('${BASE}/mcp')).toBeNull()
  expect(checkFile(' ')).toContain('capture')
  expect(checkFile('a.ndjson')).toBeNull()
  expect(checkCommand('  ')).toContain('program')
  expect(checkCommand('/opt/my server')).toBeNull()
})

it('takes variables that a process can have', () => {
  expect(
    checkVariables([
      { name: 'A', value: '' },
      { name: '', value: '' },
    ]),
  ).toBeNull()
  expect(checkVariables([{ name: '', value: 'x' }])).toContain('name')
  expect(checkVariables([{ name: 'A=B', value: 'x' }])).toContain('"="')
  expect(
    checkVariables([
      { name: 'A', value: '1' },
      { name: ' A', value: '2' },
    ]),
  ).toBe('"A" is there twice.')
})

it('takes header fields that HTTP allows', () => {
  const fields = (...names: string[]) => checkHeaders(names.map((name) => ({ name, value: 'x' })))
  expect(fields('X-Key', 'Authorization')).toBeNull()
  expect(checkHeaders([{ name: ' ', value: '' }])).toBeNull()
  expect(fields('')).toContain('name')
  expect(fields('a b')).toContain('name')
  expect(fields('X-Key', 'x-key ')).toBe('"x-key" is there twice.')
})

it.each([
  ['npx -y @scope/server /srv/files', ['npx', '-y', '@scope/server', '/srv/files']],
  ['node "C:\\\\my files\\\\s.js" \'a b\' ""', ['node', 'C:\\my files\\s.js', 'a b', '']],
  ['  ', []],
])('parts %j as a shell does', (line, words) => {
  expect(wordsOf(line)).toEqual(words)
})
