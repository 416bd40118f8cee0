import { parseArgs } from 'node:util'
import { dataDirectory } from '../places'

/** What the desk's command line says; the same names as `sluice serve` has. */
export interface Switches {
  config: string | null
  port: number | undefined
  data: string
  capture: string | null
  demo: boolean
}

/**
 * Reads the switches of ours out of an Electron command line, which also carries Chromium's, Playwright's, and the
 * app's folder. Throws with the reason in words.
 */
export function readSwitches(argv: readonly string[]): Switches {
  const { values } = parseArgs({
    args: [...argv],
    // Chromium's switches are not ours to know.
    strict: false,
    options: {
      config: { type: 'string' },
      port: { type: 'string' },
      data: { type: 'string' },
      capture: { type: 'string' },
      demo: { type: 'boolean' },
    },
  })
  const text = (name: 'config' | 'port' | 'data' | 'capture'): string | null => {
    const value = values[name]
    if (value === true || value === '') throw new Error(`--${name} needs a value`)
    return typeof value === 'string' ? value : null
  }
  const port = text('port')
  if (port !== null && (!/^\d{1,5}$/.test(port) || Number(port) > 65_535)) {
    throw new Error(`--port is a number from 0 to 65535, not "${port}"`)
  }
  return {
    config: text('config'),
    port: port === null ? undefined : Number(port),
    data: text('data') ?? dataDirectory(),
    capture: text('capture'),
    demo: values.demo === true,
  }
}
