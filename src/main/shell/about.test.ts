import { expect, it } from 'vitest'
import { aboutMessage, aboutPanel } from './about'

const versions = { app: '1.2.3', electron: '40.1.0', chrome: '144.0', node: '24.1.0' }
const RUNS_ON = 'Electron 40.1.0, Chromium 144.0, Node 24.1.0'

it.each([
  ['darwin', 'version', undefined],
  ['win32', 'credits', '/icon.png'],
] as const)('on %s the versions are in %s', (platform, place, icon) => {
  const panel = aboutPanel(platform, versions, '/icon.png')
  expect(panel[place]).toBe(RUNS_ON)
  expect(panel).toMatchObject({ applicationName: 'Sluice', applicationVersion: '1.2.3', copyright: 'MIT licence' })
  expect(panel.iconPath).toBe(icon)
})

it('is a message elsewhere, which is copied on one line', () => {
  expect(aboutMessage(versions)).toEqual({
    message: 'Sluice 1.2.3',
    detail: `${RUNS_ON}\nMIT licence`,
    copied: `Sluice 1.2.3, ${RUNS_ON}`,
  })
})
