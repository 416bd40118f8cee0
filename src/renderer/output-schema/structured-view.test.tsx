import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { StructuredView } from './structured-view'
import type { OutputCheck } from './use-output-check'

const found: OutputCheck = { schema: { kind: 'schema', schema: {}, list: 3 }, problems: [], unchecked: null }
const view = (text: string | undefined, check: Partial<OutputCheck> = {}) =>
  renderToStaticMarkup(<StructuredView text={text} check={{ ...found, ...check }} onOpen={() => undefined} />)

describe('StructuredView', () => {
  it('marks each place, what is missing where it should be', () => {
    const markup = view('{"temperature":"21","sub":{}}', {
      problems: [
        { pointer: '/temperature', message: 'should be number, not string' },
        { pointer: '/sub/a~1b', message: 'is required', missing: true },
      ],
    })
    expect(markup).toContain('2 differences')
    expect(markup.match(/data-testid="schema-mark"/g)).toHaveLength(2)
    expect(markup).toMatch(/title="\/sub\/a~1b"[^>]*>✕ a\/b is required/)
  })

  it('says that all is well, and what was not looked at', () => {
    expect(view('{}')).toContain('✓')
    expect(view('{}', { unchecked: 'Not checked: <b>' })).toContain('Not checked: &lt;b&gt;')
    expect(view('{}', { schema: null })).toContain('Looking for')
    expect(view(undefined, { problems: [{ pointer: '', message: 'is missing' }] })).toContain('no structured content')
  })

  it('shows hostile text as text', () => {
    const evil = '<img src=x>\u202Egnp'
    const markup = view(JSON.stringify({ [evil]: evil }), { problems: [{ pointer: `/${evil}`, message: evil }] })
    expect(markup).not.toContain('<img')
    expect(markup).not.toContain('\u202E')
  })
})
