import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import type { DeskStatus } from '../../shared/api/contract'
import { Header } from './header'

const STATUS: DeskStatus = {
  version: '0',
  endpoint: 'http://127.0.0.1:7420/mcp',
  configFile: null,
  recording: { on: true, file: null, calls: 0, events: 0, bytes: 0, lostEvents: 0, problem: null },
  backends: [],
  applied: 0,
  off: [],
  waiting: [],
  demo: null,
  startedAt: '2026-11-29T10:00:00.000Z',
}

function header(connected: boolean): string {
  const nothing = () => undefined
  return renderToStaticMarkup(
    <Header
      status={STATUS}
      connected={connected}
      theme="dark"
      filter={null}
      onTheme={nothing}
      onRecord={nothing}
      onKeys={nothing}
      onPalette={nothing}
    />,
  )
}

describe('Header', () => {
  it('shows neither a live endpoint nor a live recording while it is disconnected', () => {
    expect(header(true).match(/data-on="true"/g)).toHaveLength(2)
    expect(header(true)).not.toContain('last seen')
    expect(header(false)).not.toContain('data-on="true"')
    expect(header(false)).toContain('last seen recording')
  })
})
