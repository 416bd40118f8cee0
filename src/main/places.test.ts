import { describe, expect, it } from 'vitest'
import { dataDirectory, readVersion } from './places'

describe('the data folder', () => {
  it.each([
    ['linux', {}, '/home/ada/.local/share/sluice'],
    ['linux', { XDG_DATA_HOME: '/data' }, '/data/sluice'],
    ['linux', { XDG_DATA_HOME: 'relative' }, '/home/ada/.local/share/sluice'],
    ['freebsd', {}, '/home/ada/.local/share/sluice'],
    ['darwin', { XDG_DATA_HOME: '/data' }, '/home/ada/Library/Application Support/Sluice'],
    ['win32', { APPDATA: '/roaming' }, '/roaming/Sluice'],
    ['win32', {}, '/home/ada/AppData/Roaming/Sluice'],
  ] as const)('on %s with %j is %s', (platform, env, directory) => {
    expect(dataDirectory(platform, env, '/home/ada')).toBe(directory)
  })
})

it('reads the version of the package', () => {
  expect(readVersion()).toMatch(/^\d+\.\d+\.\d+/)
})
