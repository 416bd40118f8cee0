import { useCallback, useRef, useState } from 'react'
import type { CommandError, CommandName, Commands } from '../../shared/api/contract'
import { toCommandError } from '../connection/command-failure'
import { useSource } from '../stores/desk-context'

export interface CommandState<N extends CommandName> {
  /** Undefined when it failed (`error` says why) or a later run overtook it. */
  run: (request: Commands[N]['request']) => Promise<Commands[N]['response'] | undefined>
  running: boolean
  error: CommandError | null
  clearError: () => void
}

/** A command of the desk with the state that a control shows of it. */
export function useCommand<N extends CommandName>(name: N): CommandState<N> {
  const { connection } = useSource()
  const [running, setRunning] = useState(false)
  const [error, setError] = useState<CommandError | null>(null)
  const latest = useRef(0)
  const run = useCallback(
    async (request: Commands[N]['request']) => {
      const turn = ++latest.current
      setRunning(true)
      setError(null)
      try {
        const response = await connection.command(name, request)
        return turn === latest.current ? response : undefined
      } catch (reason) {
        if (turn === latest.current) setError(toCommandError(reason))
        return undefined
      } finally {
        if (turn === latest.current) setRunning(false)
      }
    },
    [connection, name],
  )
  const clearError = useCallback(() => setError(null), [])
  return { run, running, error, clearError }
}
