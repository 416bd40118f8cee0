import { useCallback, useEffect, useState } from 'react'
import type { BackendStatus, Commands } from '../../shared/api/contract'
import { filterTerm } from '../../shared/capture/filter-writing'
import { useActions } from '../actions/use-actions'
import { useCommand } from '../controls/use-command'
import { useDesk, useStatus } from '../stores/desk-context'
import { useWallClock } from '../controls/use-wall-clock'
import { BackendOutput } from './backend-output'
import { BackendView } from './backend-view'
import { useChangeBackends } from './use-change-backends'

/** One backend with its catalog, read again when its state changes. */
export function BackendPane({ backend }: { backend: BackendStatus }) {
  const desk = useDesk()
  const catalog = useCommand('backend.catalog')
  const refresh = useCommand('backend.refresh')
  const restart = useCommand('backend.restart')
  const [offered, setOffered] = useState<Commands['backend.catalog']['response'] | null>(null)
  const { run: readCatalog } = catalog
  const { name, changedAt } = backend
  const read = useCallback(async () => {
    const answer = await readCatalog({ backend: name })
    if (answer !== undefined) setOffered(answer)
  }, [readCatalog, name])
  const applied = useStatus((state) => state.status?.applied ?? 0)
  useEffect(() => {
    // `changedAt` moves with the backend's health, and what it offers may have changed with that; so it may with the file.
    if (changedAt >= 0 && applied >= 0) void read()
  }, [read, changedAt, applied])
  const close = () => desk.selection.setState({ backend: null })
  const { asking, edit, remove, turn } = useChangeBackends()
  useActions({
    'call.close': close,
    ...(backend.ofDemo !== true &&
      !asking && {
        'backends.edit': () => edit(name),
        'backends.turn': () => turn(name, false),
        'backends.remove': () => remove(name),
      }),
  })
  return (
    <BackendView
      backend={backend}
      now={useWallClock(1000)}
      catalog={offered}
      error={refresh.error ?? catalog.error}
      refreshing={refresh.running}
      restartError={restart.error}
      restarting={restart.running}
      output={<BackendOutput backend={backend} />}
      onRestart={() => {
        void restart.run({ backend: name }).then(read)
      }}
      onRefresh={() => {
        void refresh.run({ backend: name }).then(read)
      }}
      onFilter={() => desk.calls.setFilter(filterTerm('backend', name))}
      {...(backend.ofDemo !== true && { onEdit: () => edit(name) })}
      onClose={close}
    />
  )
}
