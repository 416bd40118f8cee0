import { ResourceTemplate, type McpServer } from '@modelcontextprotocol/server'
import { IMAGE } from './fixture-tools'

export function registerResources(server: McpServer): void {
  server.registerResource('static-text', 'test://static-text', { mimeType: 'text/plain' }, (uri) => ({
    contents: [{ uri: uri.href, mimeType: 'text/plain', text: 'This is the content of the static text resource.' }],
  }))

  server.registerResource('static-binary', 'test://static-binary', { mimeType: IMAGE.mimeType }, (uri) => ({
    contents: [{ uri: uri.href, mimeType: IMAGE.mimeType, blob: IMAGE.data }],
  }))

  server.registerResource('watched', 'test://watched-resource', { mimeType: 'text/plain' }, (uri) => ({
    contents: [{ uri: uri.href, mimeType: 'text/plain', text: 'Watched resource content' }],
  }))

  const template = new ResourceTemplate('test://template/{id}/data', { list: undefined })
  server.registerResource('template', template, { mimeType: 'application/json' }, (uri, { id }) => ({
    contents: [
      {
        uri: uri.href,
        mimeType: 'application/json',
        text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${String(id)}` }),
      },
    ],
  }))
}
