import { describe, expect, it } from 'vitest'
import { textMenu } from './text-menu'

const editFlags = { canUndo: false, canRedo: false, canCut: true, canCopy: true, canPaste: true, canSelectAll: true }

describe('the menu on text', () => {
  it('edits in a field, as far as that can be done now', () => {
    const items = textMenu({ isEditable: true, selectionText: 'a', editFlags })
    expect(items.flatMap(({ role, enabled }) => (role === undefined ? [] : [[role, enabled]]))).toEqual([
      ['undo', false],
      ['redo', false],
      ['cut', true],
      ['copy', true],
      ['paste', true],
      ['selectAll', true],
    ])
  })

  it('copies what is selected elsewhere', () => {
    expect(textMenu({ isEditable: false, selectionText: '{"a":1}', editFlags })).toEqual([
      { role: 'copy', enabled: true },
    ])
  })

  it('is not there where nothing is selected', () => {
    expect(textMenu({ isEditable: false, selectionText: ' \n', editFlags })).toEqual([])
  })
})
