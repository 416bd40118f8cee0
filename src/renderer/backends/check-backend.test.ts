import { describe, expect, it } from 'vitest'
import { BackendName } from '../../shared/config/schema'
import { checkBackend } from './check-backend'

describe('checkBackend', () => {
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
      expect(checkBackend(name, 'http://x/', []).name === null, name).toBe(BackendName.safeParse(name).success)
    }
  })
  it('says what is wrong', () => {
    expect(checkBackend(' ', 'x', [])).toMatchObject({
      name: expect.stringContaining('name'),
      url: expect.stringContaining('whole URL'),
    })
    expect(checkBackend('weather', 'file:///etc', ['weather'])).toMatchObject({
      name: expect.stringContaining('There is'),
      url: expect.stringContaining('http'),
    })
    expect(checkBackend(' weather ', ' https://x/mcp ', [])).toEqual({ name: null, url: null })
  })
})
