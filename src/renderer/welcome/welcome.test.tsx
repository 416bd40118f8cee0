import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { NoBackend } from './welcome'

const page = (more: { onDemo: (() => void) | null; noDemo: boolean }) =>
  renderToStaticMarkup(<NoBackend form={null} imports={null} demoError={null} configFile={null} {...more} />)

describe('NoBackend', () => {
  it('offers the demo where there is one, and says how to have it where there is none', () => {
    const offered = page({ onDemo: () => undefined, noDemo: false })
    expect(offered).toContain('Start the demo')
    expect(offered).not.toContain('--demo')
    const told = page({ onDemo: null, noDemo: true })
    expect(told).toContain('--demo')
    expect(told).not.toContain('Start the demo')
    expect(page({ onDemo: null, noDemo: false })).not.toContain('demo')
  })
})
