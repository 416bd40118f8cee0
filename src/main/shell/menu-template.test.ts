import type { MenuItemConstructorOptions } from 'electron'
import { describe, expect, it } from 'vitest'
import { MENU_ACTIONS, type MenuAction } from '../../shared/api/menu'
import { menuTemplate } from './menu-template'

const chosen: MenuAction[] = []
const nothing = () => undefined
const commands = {
  choose: (action: MenuAction) => void chosen.push(action),
  showDataFolder: nothing,
  revealLog: nothing,
  checkForUpdates: nothing,
  showAbout: nothing,
}
const PLATFORMS = ['darwin', 'linux', 'win32'] as const

function flat(items: readonly MenuItemConstructorOptions[]): MenuItemConstructorOptions[] {
  return items.flatMap((item) => [item, ...(Array.isArray(item.submenu) ? flat(item.submenu) : [])])
}
const itemsOn = (platform: NodeJS.Platform) => flat(menuTemplate(platform, commands))
const menuOf = (platform: NodeJS.Platform, is: (item: MenuItemConstructorOptions) => boolean) => {
  const menu = menuTemplate(platform, commands).find((each) => is(each))
  return Array.isArray(menu?.submenu) ? menu.submenu : []
}
const roles = (items: readonly MenuItemConstructorOptions[]) => items.flatMap(({ role }) => role ?? [])

describe.each(PLATFORMS)('the menu on %s', (platform) => {
  it('has every action of the desk once, disabled until the desk says that it can be done', () => {
    const items = itemsOn(platform).filter(({ id }) => id !== undefined)
    expect(items.map(({ id }) => id).sort()).toEqual([...MENU_ACTIONS].sort())
    expect(items.every(({ enabled }) => enabled === false)).toBe(true)
  })

  it('has each shortcut once', () => {
    const keys = itemsOn(platform).flatMap(({ accelerator }) => accelerator ?? [])
    expect(new Set(keys).size).toBe(keys.length)
    expect(keys).toContain('CmdOrCtrl+O')
  })

  it('zooms with each key that browsers zoom with', () => {
    const zooms = itemsOn(platform).filter(({ role }) => role === 'zoomIn' || role === 'zoomOut')
    // The first of each has the key that comes with its role.
    expect(zooms.map(({ role, accelerator, visible }) => [role, accelerator, visible])).toEqual([
      ['zoomIn', undefined, undefined],
      ['zoomIn', 'CmdOrCtrl+=', false],
      ['zoomIn', 'CmdOrCtrl+numadd', false],
      ['zoomOut', undefined, undefined],
      ['zoomOut', 'CmdOrCtrl+numsub', false],
    ])
  })

  it('is opened by Alt and a letter of its own', () => {
    const menus = menuTemplate(platform, commands).filter(({ role }) => role !== 'appMenu')
    const letters = menus.map(({ label }) => /&(\w)/.exec(label ?? '')?.[1]?.toLowerCase())
    expect(letters).not.toContain(undefined)
    expect(new Set(letters).size).toBe(menus.length)
  })

  it('names what was chosen', () => {
    chosen.length = 0
    for (const { id, click } of itemsOn(platform)) if (id !== undefined) (click as unknown as () => void)()
    expect([...chosen].sort()).toEqual([...MENU_ACTIONS].sort())
  })
})

describe('where each system expects it', () => {
  it('macOS: settings, about, updates and quitting are in the menu of the app, windows close from File', () => {
    const app = menuOf('darwin', ({ role }) => role === 'appMenu')
    expect(roles(app)).toEqual(['about', 'services', 'hide', 'hideOthers', 'unhide', 'quit'])
    expect(app.some(({ id, accelerator }) => id === 'go.settings' && accelerator === 'CmdOrCtrl+,')).toBe(true)
    const file = menuOf('darwin', ({ label }) => label === '&File')
    expect(roles(file)).toEqual(['close'])
    expect(file.some(({ id }) => id === 'go.settings')).toBe(false)
    expect(roles(menuOf('darwin', ({ role }) => role === 'help'))).toEqual([])
  })

  it.each(['linux', 'win32'] as const)('%s: settings and quitting are in File, about in Help', (platform) => {
    expect(menuTemplate(platform, commands)[0]?.label).toBe('&File')
    const file = menuOf(platform, ({ label }) => label === '&File')
    expect(roles(file)).toEqual(['quit'])
    expect(file.some(({ id }) => id === 'go.settings')).toBe(true)
    const help = menuOf(platform, ({ role }) => role === 'help')
    expect(help.at(-1)).toMatchObject(platform === 'linux' ? { label: '&About Sluice' } : { role: 'about' })
  })

  it('going back has the key of the system', () => {
    const back = (platform: NodeJS.Platform) => itemsOn(platform).find(({ id }) => id === 'go.back')?.accelerator
    expect([back('darwin'), back('linux'), back('win32')]).toEqual(['Cmd+[', 'Alt+Left', 'Alt+Left'])
  })
})
