import { expect, it } from 'vitest'
import { aboutPanel } from './about'

const versions = { app: '1.2.3', electron: '40.1.0', chrome: '144.0', node: '24.1.0' }

it.each([
  ['darwin', 'version', undefined],
  ['win32', 'credits', '/icon.png'],
  ['linux', 'copyright', '/icon.png'],
] as const)('on %s the versions are in %s', (platform, place, icon) => {
  const panel = aboutPanel(platform, versions, '/icon.png')
  expect(panel[place]).toContain('Electron 40.1.0, Chromium 144.0, Node 24.1.0')
  expect(panel.copyright).toContain('MIT licence')
  expect(panel).toMatchObject({ applicationName: 'Sluice', applicationVersion: '1.2.3' })
  expect(panel.iconPath).toBe(icon)
})
