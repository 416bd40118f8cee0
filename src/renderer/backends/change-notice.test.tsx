import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { ChangeNotice } from './change-notice'
import { ChangeBackendsProvider, type ChangeBackends } from './use-change-backends'

const nothing = (): undefined => undefined
const markup = (state: Pick<ChangeBackends, 'notice' | 'removal'>): string =>
  renderToStaticMarkup(
    <ChangeBackendsProvider
      value={{
        ...state,
        ...{ changes: 0, asking: false, dismiss: nothing, edit: nothing, remove: nothing, turn: nothing },
        ...{ restore: nothing, forget: nothing, written: nothing },
      }}
    >
      <ChangeNotice />
    </ChangeBackendsProvider>,
  )

const removal = { name: 'weather', undo: '1' }

it('offers to undo a removal beside what became of another change, and beside an undo that failed', () => {
  for (const notice of [
    null,
    { kind: 'held' as const, why: 'gateway.port is wrong' },
    {
      kind: 'failed' as const,
      what: 'The backend was not put back.',
      error: { code: 'failed' as const, message: 'x' },
    },
  ]) {
    const shown = markup({ notice, removal })
    expect(shown).toContain('Undo')
    expect(shown).toContain('weather')
    expect(shown.includes('was not put back')).toBe(notice?.kind === 'failed')
    expect(shown.includes('not in force')).toBe(notice?.kind === 'held')
  }
})

it('shows nothing where nothing was changed', () => {
  expect(markup({ notice: null, removal: null })).toBe('')
})
