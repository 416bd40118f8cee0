import { expect, it } from 'vitest'
import { serverEnvironment } from './server-environment'

const own = { PATH: '/usr/bin', HTTPS_PROXY: 'p', SLUICE_STATE_KEY: 's', ELECTRON_RUN_AS_NODE: '1' }

it('is that of this process, without what is its own alone, with the PATH that was looked up, under what is configured', () => {
  expect(serverEnvironment({}, undefined, 'v', own)).toEqual({
    PATH: '/usr/bin',
    HTTPS_PROXY: 'p',
    SLUICE_VIA: 'v',
  })
  expect(serverEnvironment({ A: '1' }, '/opt/bin', 'v', own)).toEqual({
    PATH: '/opt/bin',
    HTTPS_PROXY: 'p',
    A: '1',
    SLUICE_VIA: 'v',
  })
  expect(serverEnvironment({ PATH: '/mine', SLUICE_X: 'y' }, '/opt/bin', 'v', own)).toEqual({
    PATH: '/mine',
    HTTPS_PROXY: 'p',
    SLUICE_X: 'y',
    SLUICE_VIA: 'v',
  })
})

it('on Windows what is configured replaces what differs from it in case only', () => {
  const inherited = { Path: 'C:\\Windows', ComSpec: 'cmd.exe' }
  const configured = { PATH: 'C:\\tools', comspec: 'other.exe' }
  expect(serverEnvironment(configured, undefined, 'v', inherited, 'win32')).toEqual({ ...configured, SLUICE_VIA: 'v' })
  expect(serverEnvironment(configured, undefined, 'v', inherited, 'linux')).toEqual({
    ...inherited,
    ...configured,
    SLUICE_VIA: 'v',
  })
})
