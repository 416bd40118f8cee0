import { dialog } from 'electron'
import type { CommandName, Commands } from '../../shared/api/contract'
import type { Control } from '../control/control'
import { readLink } from './links'

/** Does what a link asks for, after the user has seen it and agreed. */
export async function followLink(text: string, control: Control): Promise<void> {
  const link = readLink(text)
  if (link.kind === 'refused') {
    console.error(`sluice: a link was refused: ${link.reason}`)
    await dialog.showMessageBox({
      type: 'warning',
      message: 'This link cannot be followed',
      detail: `A sluice:// link was opened, but ${link.reason}.`,
    })
    return
  }
  const { name, url } = link
  const { response } = await dialog.showMessageBox({
    type: 'question',
    message: `Add the backend “${name}”?`,
    detail: `A link asks Sluice to add it to your configuration, and to connect to it at once:\n\n${url}\n\nAdd it only if you trust where the link came from.`,
    buttons: ['Cancel', 'Add backend'],
    defaultId: 0,
    cancelId: 0,
  })
  if (response !== 1) return
  await command(
    control,
    'config.addBackend',
    { name, entry: JSON.stringify({ type: 'http', url }) },
    'The backend was not added',
  )
}

/** Opens a capture that the user gave to the app; the desk shows it at once. */
export function openHandedCapture(file: string, control: Control): Promise<void> {
  return command(control, 'capture.open', { file, handedOver: true }, 'The capture was not opened')
}

async function command<N extends CommandName>(
  control: Control,
  name: N,
  request: Commands[N]['request'],
  failed: string,
): Promise<void> {
  const desk = control.connect({ push: () => undefined, ready: () => false })
  const answer = await desk.command(name, request)
  desk.close()
  if (answer.ok) return
  const { message, hint } = answer.error
  await dialog.showMessageBox({
    type: 'error',
    message: failed,
    detail: `${message}\n${hint ?? ''}`,
  })
}
