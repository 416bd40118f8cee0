import { afterEach, describe, expect, it } from 'vitest'
import type { HeaderList } from '../../shared/capture/events'
import { HttpConnection } from './http-connection'

const connections: HttpConnection[] = []

afterEach(() => Promise.all(connections.splice(0).map((connection) => connection.destroy())))

function connection(): HttpConnection {
  const made = new HttpConnection({
    url: 'http://127.0.0.1:9/mcp',
    headers: { 'X-Team': 'blue', 'Content-Length': '1' },
    maxMessageBytes: 1_000,
    version: '1.2.3',
    via: '1.1 own (here)',
    settled: () => undefined,
  })
  connections.push(made)
  return made
}

describe('the fields of a request', () => {
  it('are the usual ones, those of the method, those passed, those configured, and Via after the one passed', () => {
    expect(
      connection().headers(
        [['mcp-method', 'ping']],
        [
          ['via', '1.1 before'],
          ['mcp-param-a', 'b'],
        ],
      ),
    ).toEqual([
      ['accept-encoding', 'identity'],
      ['user-agent', 'sluice/1.2.3'],
      ['mcp-method', 'ping'],
      ['mcp-param-a', 'b'],
      ['X-Team', 'blue'],
      ['via', '1.1 before, 1.1 own (here)'],
    ])
  })
})

describe('usual fields', () => {
  const field = (name: string) => (): HeaderList => [[name, '1']]

  it('are made once for a key, and nobody can change them', () => {
    const http = connection()
    const first = http.usualHeaders('a', field('x'))
    expect(http.usualHeaders('a', field('y'))).toBe(first)
    expect(http.usualHeaders('b', field('y'))).toEqual([['y', '1']])
    expect(() => first.push(['z', '1'])).toThrow(TypeError)
    expect(() => first[0]?.fill('z')).toThrow(TypeError)
  })

  it('are not kept for long keys, nor for more than some hundreds', () => {
    const http = connection()
    const long = 'n'.repeat(10_000)
    expect(http.usualHeaders(long, field('x'))).not.toBe(http.usualHeaders(long, field('x')))
    const first = http.usualHeaders('0', field('x'))
    for (let key = 1; key < 1_000; key++) http.usualHeaders(String(key), field('x'))
    expect(http.usualHeaders('0', field('x'))).not.toBe(first)
  })
})
