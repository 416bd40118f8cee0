import { useCallback, useEffect, useRef, useState, type ReactNode } from 'react'
import { useCommand } from '../controls/use-command'
import { useDesk, useStatus } from '../stores/desk-context'
import type { ConfiguredBackend } from '../../shared/api/contract'
import { kindOf } from './backend-draft'
import { EditBackendDialog } from './edit-backend-dialog'
import { RemoveBackendDialog } from './remove-backend-dialog'
import { TurnOnDialog } from './turn-on-dialog'
import { ChangeBackendsProvider, type ChangeNotice, type Removal } from './use-change-backends'

/** As many removals can be undone: main keeps no more. */
const MOST_REMOVALS = 20

type Asked = { what: 'edit' | 'remove'; name: string } | { what: 'turnOn'; configured: ConfiguredBackend }

/** Holds the dialogs that change backends, and what became of the last change. */
export function ChangeBackends({ children }: { children: ReactNode }) {
  const desk = useDesk()
  const status = useStatus((state) => state.status)
  const [asked, setAsked] = useState<Asked | null>(null)
  const [told, setTold] = useState<ChangeNotice | null>(null)
  const [removals, setRemovals] = useState<readonly Removal[]>([])
  const [changes, setChanges] = useState(0)
  const reading = useCommand('config.backend')
  const turning = useCommand('config.turnBackend')
  const restoring = useCommand('config.restoreBackend')
  const close = () => setAsked(null)
  const written = (held: string | null) => {
    setChanges((before) => before + 1)
    setTold(held === null ? null : { kind: 'held', why: held })
  }
  const clear = () => {
    setTold(null)
    reading.clearError()
    turning.clearError()
    restoring.clearError()
  }

  const turned = async (held: string | null) => {
    written(held)
    await desk.refreshStatus()
  }
  const turn = async (name: string, on: boolean, version?: string) => {
    clear()
    let seen = version
    if (on && seen === undefined) {
      const configured = await reading.run({ name })
      if (configured === undefined) return
      // A program is started only when its words were shown.
      if (kindOf(configured.entry) === 'command') return setAsked({ what: 'turnOn', configured })
      seen = configured.version
    }
    const answer = await turning.run({ name, on, ...(seen === undefined ? {} : { version: seen }) })
    if (answer !== undefined) await turned(answer.held)
  }
  const forget = (undo: string) => setRemovals((before) => before.filter((one) => one.undo !== undo))
  const putBack = useRef<string | null>(null)
  const focusPutBack = useCallback(() => {
    if (putBack.current !== null && focusInRail(putBack.current)) putBack.current = null
  }, [])
  // It is listed again when the file was read, before or after the answer.
  useEffect(focusPutBack, [focusPutBack, status, changes])
  const restore = async (undo: string) => {
    clear()
    const answer = await restoring.run({ undo })
    if (answer === undefined) return
    putBack.current = answer.name
    forget(undo)
    written(answer.held)
    await desk.refreshStatus()
    desk.selection.setState({ backend: answer.name })
  }
  const removed = async (name: string, answer: { undo: string; held: string | null }) => {
    clear()
    setTold(answer.held === null ? null : { kind: 'held', why: answer.held })
    setRemovals((before) => [...before, { name, undo: answer.undo }].slice(-MOST_REMOVALS))
    close()
    if (desk.selection.getState().backend === name) desk.selection.setState({ backend: null })
    await desk.refreshStatus()
  }
  const failed = (what: string, error: (typeof turning)['error']): ChangeNotice | null =>
    error === null ? null : { kind: 'failed', what, error }
  const notice =
    failed('The backend was not turned on or off.', reading.error ?? turning.error) ??
    failed('The backend was not put back.', restoring.error) ??
    told
  return (
    <ChangeBackendsProvider
      value={{
        notice,
        removal: removals.at(-1) ?? null,
        changes,
        asking: asked !== null,
        dismiss: clear,
        edit: (name) => setAsked({ what: 'edit', name }),
        remove: (name) => setAsked({ what: 'remove', name }),
        turn: (name, on, version) => void turn(name, on, version),
        restore: (undo) => void restore(undo),
        forget,
        written,
      }}
    >
      {children}
      {asked?.what === 'edit' && <EditBackendDialog key={asked.name} name={asked.name} onClose={close} />}
      {asked?.what === 'turnOn' && (
        <TurnOnDialog
          configured={asked.configured}
          onTurnedOn={(held) => {
            close()
            void turned(held)
          }}
          onClose={close}
        />
      )}
      {asked?.what === 'remove' && (
        <RemoveBackendDialog
          key={asked.name}
          name={asked.name}
          onRemoved={(answer) => void removed(asked.name, answer)}
          onTurnOff={
            status?.off.some(({ name }) => name === asked.name) === true
              ? null
              : () => {
                  close()
                  void turn(asked.name, false)
                }
          }
          onClose={close}
        />
      )}
    </ChangeBackendsProvider>
  )
}

/**
 * Gives the focus to the backend in the list, where what had it is gone or it stands in for that in the list; false when it
 * is not listed yet.
 */
function focusInRail(name: string): boolean {
  const rail = document.querySelector('[data-part=rail]')
  const item = rail?.querySelector<HTMLElement>(`[data-backend="${CSS.escape(name)}"]`)
  if (rail === null || item === null || item === undefined) return false
  const { activeElement } = document
  if (activeElement === null || activeElement === document.body || rail.contains(activeElement)) item.focus()
  return true
}
