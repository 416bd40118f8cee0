import { describe, expect, it } from 'vitest'
import { dataDirectory } from '../places'
import { readSwitches } from './switches'

const NONE = { config: null, port: undefined, data: dataDirectory(), capture: null, demo: false }

describe('switches of the desk', () => {
  it.each([
    [[], NONE],
    [['--demo'], { ...NONE, demo: true }],
    [['--inspect=0', '--remote-debugging-port=0', '/app', '--no-sandbox', '--disable-gpu'], NONE],
    [
      ['/app', '--no-sandbox', '--config', 'a.json', '--port=0', '--data', '/d', '--capture', 'c.ndjson'],
      { config: 'a.json', port: 0, data: '/d', capture: 'c.ndjson', demo: false },
    ],
  ])('%j', (argv, expected) => {
    expect(readSwitches(argv)).toEqual(expected)
  })

  it.each([
    [['--port', 'http'], '--port is a number from 0 to 65535, not "http"'],
    [['--port', '65536'], '--port is a number from 0 to 65535, not "65536"'],
    [['--config'], '--config needs a value'],
  ])('%j is refused', (argv, message) => {
    expect(() => readSwitches(argv)).toThrow(message)
  })
})
