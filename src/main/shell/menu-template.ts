import type { MenuItemConstructorOptions } from 'electron'
import type { MenuAction } from '../../shared/api/menu'

export interface MenuCommands {
  /** Does an action of the desk. */
  choose: (action: MenuAction) => void
  showDataFolder: () => void
  revealLog: () => void
  checkForUpdates: () => void
  /** Where the system has no about box of its own that is good. */
  showAbout: () => void
}

type Items = MenuItemConstructorOptions[]

/**
 * The menu of the application as each system expects it: on macOS, settings, about and quitting are in the menu of the app
 * itself. Actions of the desk have their names as ids and begin disabled; the desk says which can be done.
 */
export function menuTemplate(platform: NodeJS.Platform, commands: MenuCommands): Items {
  const mac = platform === 'darwin'
  const item = (id: MenuAction, label: string, accelerator?: string): MenuItemConstructorOptions => ({
    id,
    label,
    enabled: false,
    click: () => commands.choose(id),
    ...(accelerator === undefined ? {} : { accelerator }),
  })
  const settings = item('go.settings', mac ? 'Settings…' : '&Settings…', 'CmdOrCtrl+,')
  return [
    ...(mac ? [appMenu(settings, commands)] : []),
    {
      label: '&File',
      submenu: [
        item('captures.open', '&Open Capture…', 'CmdOrCtrl+O'),
        item('calls.export', '&Export Calls…', 'CmdOrCtrl+E'),
        item('calls.replay', '&Replay Calls…'),
        separator,
        item('go.compose', '&New Request', 'CmdOrCtrl+N'),
        item('compose.send', 'Send Re&quest'),
        item('compose.save', '&Save Request…', 'CmdOrCtrl+S'),
        separator,
        item('recording.toggle', 'Recording On or O&ff'),
        item('demo.toggle', 'Start or Stop the &Demo'),
        separator,
        ...(mac ? [] : [settings]),
        { label: 'Show Data &Folder', click: commands.showDataFolder },
        separator,
        { role: mac ? 'close' : 'quit' },
      ],
    },
    {
      label: '&Edit',
      submenu: [
        { role: 'undo' },
        { role: 'redo' },
        separator,
        { role: 'cut' },
        { role: 'copy' },
        { role: 'paste' },
        { role: 'delete' },
        { role: 'selectAll' },
        separator,
        item('calls.filter', '&Filter Calls…', 'CmdOrCtrl+F'),
        item('calls.clearFilter', 'C&lear the Filter'),
      ],
    },
    {
      label: '&View',
      submenu: [
        item('palette.open', '&Commands…', 'CmdOrCtrl+K'),
        separator,
        item('calls.clear', 'Hide the Calls &So Far'),
        item('calls.timeline', 'Show or Hide the &Timeline'),
        item('calls.follow', 'Pause or Resume &Following'),
        item('detail.place', '&Detail Below or Beside'),
        {
          label: '&Group Calls',
          submenu: [
            item('calls.ungroup', 'By &Nothing'),
            item('calls.groupOperation', 'By &Operation'),
            item('calls.groupBackend', 'By &Backend'),
            item('calls.groupClient', 'By &Client'),
            item('calls.groupTool', 'By &Tool'),
          ],
        },
        item('theme.next', 'Switch the T&heme'),
        separator,
        { role: 'resetZoom' },
        { role: 'zoomIn' },
        // Where + is above =, as browsers have it: without Shift, and on the keys of numbers.
        ...['CmdOrCtrl+=', 'CmdOrCtrl+numadd'].map((keys) => hidden('zoomIn', keys)),
        { role: 'zoomOut' },
        hidden('zoomOut', 'CmdOrCtrl+numsub'),
        { role: 'togglefullscreen' },
        separator,
        { role: 'reload' },
        { role: 'toggleDevTools' },
      ],
    },
    {
      label: '&Go',
      submenu: [
        item('go.back', '&Back', mac ? 'Cmd+[' : 'Alt+Left'),
        item('go.forward', '&Forward', mac ? 'Cmd+]' : 'Alt+Right'),
        separator,
        item('go.calls', '&Calls of This Run', 'CmdOrCtrl+1'),
        item('go.subscriptions', 'S&ubscriptions', 'CmdOrCtrl+2'),
        item('go.statistics', '&Statistics', 'CmdOrCtrl+3'),
        item('go.findings', 'F&indings', 'CmdOrCtrl+4'),
        separator,
        item('go.call', 'Call by &Number…', 'CmdOrCtrl+G'),
      ],
    },
    {
      label: '&Call',
      submenu: [
        item('call.resend', '&Send Again'),
        item('call.edit', '&Edit and Send Again…'),
        item('call.compare', 'C&ompare with Another Call'),
        separator,
        item('call.mark', '&Mark or Unmark'),
        item('call.comment', '&Comment…'),
        item('call.pin', '&Pin or Unpin'),
        separator,
        item('call.copyCurl', 'Copy as c&URL'),
        item('call.copySdk', 'Copy as &TypeScript'),
        separator,
        item('call.close', 'C&lose'),
      ],
    },
    {
      label: '&Backend',
      submenu: [
        item('backends.add', '&Add Backend…'),
        separator,
        item('backends.edit', '&Edit…'),
        item('backends.turn', '&Turn Off or On'),
        item('backends.remove', '&Remove…'),
      ],
    },
    // A label of our own has the letter that opens it with Alt.
    { role: 'windowMenu', label: '&Window' },
    {
      role: 'help',
      label: '&Help',
      submenu: [
        item('tour.start', 'Take the &Tour'),
        item('keys.show', '&Keys…'),
        separator,
        { label: 'Reveal &Log', click: commands.revealLog },
        ...(mac ? [] : [updates(commands), separator, about(platform, commands)]),
      ],
    },
  ]
}

const separator: MenuItemConstructorOptions = { type: 'separator' }

/** A further shortcut of what the menu shows already. */
function hidden(role: 'zoomIn' | 'zoomOut', accelerator: string): MenuItemConstructorOptions {
  return { role, accelerator, visible: false, acceleratorWorksWhenHidden: true }
}

function about(platform: NodeJS.Platform, { showAbout }: MenuCommands): MenuItemConstructorOptions {
  return platform === 'linux' ? { label: '&About Sluice', click: showAbout } : { role: 'about' }
}

function updates({ checkForUpdates }: MenuCommands): MenuItemConstructorOptions {
  return { label: 'Check for &Updates…', click: checkForUpdates }
}

function appMenu(settings: MenuItemConstructorOptions, commands: MenuCommands): MenuItemConstructorOptions {
  return {
    role: 'appMenu',
    submenu: [
      { role: 'about' },
      updates(commands),
      separator,
      settings,
      separator,
      { role: 'services' },
      separator,
      { role: 'hide' },
      { role: 'hideOthers' },
      { role: 'unhide' },
      separator,
      { role: 'quit' },
    ],
  }
}
