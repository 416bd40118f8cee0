import '../theme/fonts.css'
import '../theme/tokens.css'
import '../theme/base.css'
import { StrictMode } from 'react'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import type { DeskConnection } from '../../shared/api/contract'
import { ActionsStore } from '../actions/actions-store'
import { ActionsProvider } from '../actions/use-actions'
import { createDesk } from '../stores/desk'
import { DeskProvider } from '../stores/desk-context'
import { App } from './app'

/** Draws the desk into `root`, on the connection that `connect` makes; `connect` is told what to call when it is refused. */
export function mountDesk(root: HTMLElement, connect: (onUnauthorized: () => void) => DeskConnection): void {
  const desk = createDesk({
    connection: connect(() => desk.status.setState({ unauthorized: true })),
    storage: window.localStorage,
    session: window.sessionStorage,
    wallNow: () => Date.now(),
    later: (task, delayMs) => {
      window.setTimeout(task, delayMs)
    },
    frame: (task) => {
      // Else React would draw some of it after this frame of the screen, and the page be laid out once more for it.
      window.requestAnimationFrame(() => flushSync(task))
    },
  })
  const actions = new ActionsStore()
  createRoot(root).render(
    <StrictMode>
      <DeskProvider desk={desk}>
        <ActionsProvider value={actions}>
          <App />
        </ActionsProvider>
      </DeskProvider>
    </StrictMode>,
  )
}
