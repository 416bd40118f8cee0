import { describe, expect, it } from 'vitest'
import { isObject } from '../protocol/json-rpc'
import { Configuration, GatewayConfig } from './schema'
import { settingAt, SETTINGS } from './settings'

const valueAt = (document: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((value, key) => (isObject(value) ? value[key] : undefined), document)

describe('SETTINGS', () => {
  it('have every member of the gateway, each with a sentence and its default', () => {
    const defaults = Configuration.parse({ mcpServers: {} })
    for (const { path, fallback, description } of SETTINGS) {
      expect(description, path.join('.')).toMatch(/\.$/)
      expect(valueAt(defaults, path), path.join('.')).toEqual(fallback)
    }
    const tops = new Set(SETTINGS.map(({ path }) => path[1]))
    expect([...tops].sort()).toEqual(Object.keys(GatewayConfig.shape).sort())
  })

  it('say what may be chosen', () => {
    expect(settingAt(['gateway', 'responseMode'])).toMatchObject({ kind: 'choice', choices: ['auto', 'json', 'sse'] })
    expect(settingAt(['gateway', 'port'])).toMatchObject({ kind: 'number', least: 0, most: 65_535, restart: true })
    expect(settingAt(['gateway', 'redact', 'headers'])).toMatchObject({ kind: 'texts', fallback: [], restart: false })
    expect(settingAt(['gateway', 'captures', 'record'])).toMatchObject({ kind: 'switch', fallback: true })
    expect(settingAt(['gateway', 'names', 'policy'])).toMatchObject({ kind: 'choice' })
    expect(settingAt(['mcpServers'])).toBeUndefined()
  })
})
