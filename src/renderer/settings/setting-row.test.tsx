import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import { settingAt, type Setting } from '../../shared/config/settings'
import { problemOf, SettingRow } from './setting-row'

const setting = (path: string): Setting => {
  const found = settingAt(path.split('.'))
  if (found === undefined) throw new Error(`no setting ${path}`)
  return found
}

describe('problemOf', () => {
  it.each([
    ['gateway.port', '7420', null],
    ['gateway.port', ' 0 ', null],
    ['gateway.port', '65536', 'from 0 to 65535'],
    ['gateway.port', '', 'a whole number'],
    ['gateway.port', '-1', 'a whole number'],
    ['gateway.port', '1e3', 'a whole number'],
    ['gateway.pingIntervalMs', '9', 'from 10 to 3600000'],
    ['gateway.allowedHosts', 'anything\nat all', null],
  ])('%s %j', (path, text, problem) => {
    expect(problemOf(setting(path), text)).toBe(problem)
  })
})

describe('SettingRow', () => {
  const markup = (path: string, value: string | number | boolean | string[], own: boolean) =>
    renderToStaticMarkup(
      <SettingRow setting={setting(path)} value={value} own={own} busy={false} onSet={() => undefined} />,
    )

  it('offers the choices, and the way back only where the file says something', () => {
    expect(markup('gateway.responseMode', 'sse', true)).toMatch(/<option selected="">sse<\/option>/)
    expect(markup('gateway.responseMode', 'sse', true)).toContain('visibility:visible')
    expect(markup('gateway.responseMode', 'auto', false)).toContain('visibility:hidden')
  })

  it('says when a change waits for the next start', () => {
    expect(markup('gateway.port', 7420, false)).toContain('next start')
    expect(markup('gateway.pingIntervalMs', 10, false)).not.toContain('next start')
  })

  it('shows what is on or off as a box to tick', () => {
    expect(markup('gateway.captures.record', true, false)).toMatch(/<input[^>]*type="checkbox"[^>]*checked=""/)
    expect(markup('gateway.captures.record', false, true)).not.toContain('checked=""')
    expect(markup('gateway.captures.record', false, true)).toContain('Back to the default: on')
  })

  it('shows texts one a line', () => {
    expect(markup('gateway.allowedHosts', ['a:1', 'b:2'], true)).toContain('a:1\nb:2')
  })
})
