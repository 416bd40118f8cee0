import type { ContextMenuParams, MenuItemConstructorOptions } from 'electron'

type Clicked = Pick<ContextMenuParams, 'isEditable' | 'selectionText'> & {
  editFlags: Pick<
    ContextMenuParams['editFlags'],
    'canUndo' | 'canRedo' | 'canCut' | 'canCopy' | 'canPaste' | 'canSelectAll'
  >
}

/** The menu of the other button on text, which Electron has none of: editing in a field, copying from what is selected; else none. */
export function textMenu({ isEditable, selectionText, editFlags }: Clicked): MenuItemConstructorOptions[] {
  if (isEditable) {
    return [
      { role: 'undo', enabled: editFlags.canUndo },
      { role: 'redo', enabled: editFlags.canRedo },
      { type: 'separator' },
      { role: 'cut', enabled: editFlags.canCut },
      { role: 'copy', enabled: editFlags.canCopy },
      { role: 'paste', enabled: editFlags.canPaste },
      { type: 'separator' },
      { role: 'selectAll', enabled: editFlags.canSelectAll },
    ]
  }
  return selectionText.trim() === '' ? [] : [{ role: 'copy', enabled: editFlags.canCopy }]
}
