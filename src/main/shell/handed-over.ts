import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { app } from 'electron'
import { linkAmong } from './links'
import { captureNames } from './capture-names'

/** What the system hands over to the app: a `sluice://` link, or a capture file to open. */
export type HandedOver = { kind: 'link'; link: string } | { kind: 'file'; file: string }

/** Gives what came so far, and all that follows. */
export type HandedOverSource = (take: (handed: HandedOver) => void) => void

/** Collects what is handed over until `take` is there, as it then goes on doing. To be called before the app is ready. */
export function receiveHandedOver(): HandedOverSource {
  const waiting: HandedOver[] = among(process.argv.slice(1), process.cwd())
  let receive = (handed: HandedOver): void => void waiting.push(handed)
  // macOS says it by events, the others by a second start.
  app.on('open-url', (event, link) => {
    event.preventDefault()
    receive({ kind: 'link', link })
  })
  app.on('open-file', (event, file) => {
    event.preventDefault()
    receive({ kind: 'file', file })
  })
  app.on('second-instance', (_event, argv, folder) => {
    for (const handed of among(argv.slice(1), folder)) receive(handed)
  })
  return (take) => {
    receive = take
    for (const handed of waiting.splice(0)) take(handed)
  }
}

function among(argv: readonly string[], folder: string): HandedOver[] {
  const link = linkAmong(argv)
  const files = captureNames(argv)
    .map((name) => resolve(folder, name))
    .filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile() === true)
  return [
    ...(link === undefined ? [] : [{ kind: 'link' as const, link }]),
    ...files.map((file) => ({ kind: 'file' as const, file })),
  ]
}
