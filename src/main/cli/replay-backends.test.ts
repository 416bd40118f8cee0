import { expect, it } from 'vitest'
import { noConfigurationText } from './replay-backends'

it('gives the backends of the capture as the example, two of them at most', () => {
  const text = noConfigurationText('/data/sluice.json', [
    { name: 'weather', type: 'http', url: 'http://127.0.0.1:4000/mcp' },
    { name: 'files', type: 'stdio' },
    { name: 'booking', type: 'http' },
  ])
  expect(text).toContain('/data/sluice.json does not exist')
  expect(text).toContain('--config FILE')
  const [example = ''] = /\{.*\}/.exec(text) ?? []
  expect(JSON.parse(example)).toEqual({
    mcpServers: { weather: { url: 'http://127.0.0.1:4000/mcp' }, files: { command: 'node', args: ['server.js'] } },
  })
  expect(text).toContain('with 1 more')
})

it('has an example also where the capture names no backend', () => {
  expect(noConfigurationText('x', [])).toContain('{"mcpServers":{"weather":{"url":"http')
})
