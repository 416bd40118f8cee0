import { clipboard, dialog, nativeImage } from 'electron'
import { aboutMessage, type Versions } from './about'
import { ICON } from './icon'

/** The about box of Linux, where Electron's own has buttons for credits and a licence that show nothing. */
export async function showAbout(versions: Versions): Promise<void> {
  const { message, detail, copied } = aboutMessage(versions)
  const { response } = await dialog.showMessageBox({
    type: 'info',
    title: 'About Sluice',
    icon: nativeImage.createFromPath(ICON),
    message,
    detail,
    buttons: ['Close', 'Copy'],
    defaultId: 0,
    cancelId: 0,
  })
  if (response === 1) await clipboard.writeText(copied)
}
