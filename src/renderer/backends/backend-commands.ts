import type { DeskStatus } from '../../shared/api/contract'
import type { PalettePlace } from '../actions/palette'
import type { ChangeBackends } from './use-change-backends'

/** What can be done with each backend that stands in the configuration, for the palette. */
export function backendCommands(
  status: Pick<DeskStatus, 'configFile' | 'backends' | 'off' | 'waiting'> | null,
  { asking, edit, turn, remove }: Pick<ChangeBackends, 'asking' | 'edit' | 'turn' | 'remove'>,
): PalettePlace[] {
  if (status === null || status.configFile === null || asking) return []
  const on = status.backends.filter(({ ofDemo }) => ofDemo !== true).map(({ name }) => name)
  const waiting = status.waiting.map(({ backend }) => backend)
  const all = [
    ...[...on, ...waiting].map((name) => ({ name, off: false })),
    ...status.off.map(({ name }) => ({ name, off: true })),
  ]
  return all.flatMap(({ name, off }) => [
    { id: `edit ${name}`, kind: 'Edit', name, go: () => edit(name) },
    { id: `turn ${name}`, kind: off ? 'Turn on' : 'Turn off', name, go: () => turn(name, off) },
    { id: `remove ${name}`, kind: 'Remove', name, go: () => remove(name) },
  ])
}
