import type { Layout } from 'react-resizable-panels'
import { useDesk } from '../stores/desk-context'

/** Remembered sizes of a group of panes, in percent by pane. */
export function useLayout(group: string, otherwise: Layout) {
  const { preferences } = useDesk()
  const remembered = preferences.getState().layouts[group]
  const known = remembered !== undefined && Object.keys(otherwise).every((pane) => pane in remembered)
  return {
    defaultLayout: known ? remembered : otherwise,
    onLayoutChanged: (layout: Layout) => {
      // A pane may be away for a while; the sizes to come back to are those of all of them.
      if (!Object.keys(otherwise).every((pane) => pane in layout)) return
      preferences.setState(({ layouts }) => ({ layouts: { ...layouts, [group]: layout } }))
    },
  }
}
