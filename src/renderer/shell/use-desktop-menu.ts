import { useEffect } from 'react'
import { type DesktopMenu, MENU_ACTIONS } from '../../shared/api/menu'
import type { ActionId } from '../actions/catalog'
import { useActionsStore } from '../actions/use-actions'

/** Keeps the application's menu up to date, and does what is chosen there. */
export function useDesktopMenu(menu: DesktopMenu | undefined): void {
  const store = useActionsStore()
  useEffect(() => {
    if (menu === undefined) return
    let told: string | null = null
    const tell = (): void => {
      const actions = MENU_ACTIONS.filter((action) => store.find(action satisfies ActionId) !== undefined)
      const key = actions.join(' ')
      if (key === told) return
      told = key
      menu.offer(actions)
    }
    tell()
    const stopTelling = store.changes.subscribe(tell)
    const stopListening = menu.onChosen((action) => store.find(action)?.())
    return () => {
      stopTelling()
      stopListening()
    }
  }, [menu, store])
}
