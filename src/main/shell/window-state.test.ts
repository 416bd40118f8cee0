import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fitToScreens, loadWindowState, saveWindowState, type WindowState } from './window-state'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-window-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const state: WindowState = { x: 100, y: 80, width: 1200, height: 800, maximized: false, fullScreen: false }

describe('the file', () => {
  it('gives back what was saved', () => {
    const file = join(folder, 'deeper', 'window.json')
    saveWindowState(file, { ...state, maximized: true })
    expect(loadWindowState(file)).toEqual({ ...state, maximized: true })
  })

  it.each(['', '{', '[]', '{"width":"wide","height":1}', '{"width":-5,"height":800}', 'null'])(
    'that holds %j counts as none',
    (text) => {
      const file = join(folder, 'window.json')
      writeFileSync(file, text)
      expect(loadWindowState(file)).toEqual(loadWindowState(join(folder, 'missing.json')))
    },
  )
})

describe('on the screens that are there', () => {
  const laptop = { x: 0, y: 25, width: 1440, height: 875 }
  const second = { x: 1440, y: 0, width: 2560, height: 1440 }

  it.each<[string, WindowState, { x: number; y: number; width: number; height: number }[], Partial<WindowState>]>([
    ['it stays where it was', state, [laptop], state],
    ['it stays on the second screen', { ...state, x: 1500 }, [laptop, second], { ...state, x: 1500 }],
    ['a screen that is gone: the system places it', { ...state, x: 1500 }, [laptop], { width: 1200, height: 800 }],
    ['the title bar above the screen', { ...state, y: -10 }, [laptop], { width: 1200, height: 800 }],
    ['the title bar below the screen', { ...state, y: 890 }, [laptop], { width: 1200, height: 800 }],
    ['only a sliver in sight', { ...state, x: 1400 }, [laptop], { width: 1200, height: 800 }],
    ['more than half in sight', { ...state, x: 700 }, [laptop], { ...state, x: 700 }],
    ['mostly out of sight: moved in', { ...state, x: 1200, y: 700 }, [laptop], { ...state, x: 240, y: 100 }],
    ['over two screens', { ...state, x: 1200 }, [laptop, second], { ...state, x: 1200 }],
    [
      'larger than the screen',
      { ...state, width: 3000, height: 2000 },
      [laptop],
      { x: 100, y: 80, width: 1440, height: 875 },
    ],
    ['smaller than it may be', { ...state, width: 10, height: 10 }, [laptop], { width: 760, height: 480 }],
    ['no screen at all', state, [], { width: 1200, height: 800 }],
  ])('%s', (_what, was, areas, expected) => {
    expect(fitToScreens(was, areas)).toEqual({ maximized: false, fullScreen: false, ...expected })
  })
})
