import { lazy, Suspense } from 'react'
import type { BackendStatus, CommandError } from '../../shared/api/contract'
import type { OffBackend } from '../../shared/config/schema'
import { AddBackendForm } from '../backends/add-backend-dialog'
import { BackendPane } from '../backends/backend-pane'
import { ImportBackends } from '../backends/import-backends'
import { OffBackendPane } from '../backends/off-backend-pane'
import { Failure } from '../controls/failure'
import { SettingsPane } from '../settings/settings-pane'
import { useCalls, useSelection, useStatus } from '../stores/desk-context'
import { NoBackend, NoCall } from '../welcome/welcome'
import { DetailPane } from './detail-pane'
import { TableAndDetail } from './table-and-detail'
import { TableOfView } from './table-of-view'

/** Read when it is looked at first: its editor is large. */
const ComposePane = lazy(async () => ({ default: (await import('../compose/compose-pane')).ComposePane }))

interface WorkProps {
  /** Null when there is no demo or it runs. */
  onDemo: (() => void) | null
  demoError: CommandError | null
}

/** The table and what is selected in it; or what to do first. */
export function Work({ onDemo, demoError }: WorkProps) {
  const status = useStatus((state) => state.status)
  const total = useCalls((state) => state.total)
  const loading = useCalls((state) => state.loading)
  const failed = useCalls((state) => state.error !== null)
  const { call, backend, view } = useSelection((selection) => selection)
  const shown = status?.backends.find((each) => each.name === backend)
  const off = status?.off.find((each) => each.name === backend)
  // Settings are about no call: they have the whole height.
  const open = shown !== undefined || off !== undefined || (call !== null && view !== 'settings')

  // Only in the place of calls: settings hold what a backend may wait for, and requests, findings and the rest are pages.
  const noBackend = status !== null && status.backends.length === 0 && status.waiting.length === 0
  if (view === 'calls' && noBackend && off === undefined && total === 0) {
    return (
      <NoBackend
        form={<AddBackendForm />}
        imports={<ImportBackends />}
        onDemo={onDemo}
        noDemo={status.demo === null}
        demoError={demoError === null ? null : <Failure what="The demo could not be started." error={demoError} />}
        configFile={status.configFile}
      />
    )
  }
  const table =
    view === 'compose' ? (
      <Suspense fallback={null}>
        <ComposePane />
      </Suspense>
    ) : view === 'settings' ? (
      <SettingsPane />
    ) : view === 'calls' && status !== null && total === 0 && !loading && !failed ? (
      <NoCall endpoint={status.endpoint} onDemo={onDemo} />
    ) : (
      <TableOfView />
    )
  return <TableAndDetail table={table} detail={open ? <Selected backend={shown} off={off} call={call} /> : null} />
}

interface SelectedProps {
  backend: BackendStatus | undefined
  off: OffBackend | undefined
  call: number | null
}

function Selected({ backend, off, call }: SelectedProps) {
  if (backend !== undefined) return <BackendPane key={backend.name} backend={backend} />
  if (off !== undefined) return <OffBackendPane key={off.name} backend={off} />
  return call === null ? null : <DetailPane call={call} />
}
