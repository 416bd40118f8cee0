import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { createV2Server } from './v2-server'

/** A server made with the 2.x SDK. `legacy` as argument: it serves both eras; else 2026-07-28 alone. */
serveStdio(() => createV2Server({ cancelled: (name) => console.error(`${name} was cancelled`) }), {
  legacy: process.argv.includes('legacy') ? 'serve' : 'reject',
})
