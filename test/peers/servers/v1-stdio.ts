import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { createV1Server } from './v1-server'

console.error('v1 server on stdio')
await createV1Server({ cancelled: (name) => console.error(`${name} was cancelled`) }).connect(
  new StdioServerTransport(),
)
