import { join } from 'node:path'
import log from 'electron-log/main'

/** Where the desk's log is kept. */
export function logFile(dataDirectory: string): string {
  return join(dataDirectory, 'logs', 'desk.log')
}

const MAX_BYTES = 1_048_576

/**
 * What goes to the console also goes to a file, since a desk that was started from a menu has no terminal. The one before
 * is kept as `desk.old.log`. What is logged are Sluice's own words, never what calls carry.
 */
export function keepLog(dataDirectory: string): void {
  log.transports.file.resolvePathFn = () => logFile(dataDirectory)
  log.transports.file.maxSize = MAX_BYTES
  log.transports.file.format = '{y}-{m}-{d} {h}:{i}:{s}.{ms} {level}: {text}'
  // The terminal gets what it would get without a log.
  log.transports.console.format = '{text}'
  log.transports.console.useStyles = false
  Object.assign(console, log.functions)
  // Looked at and not caught: what follows is as without a log.
  process.on('uncaughtExceptionMonitor', (error) => log.error('uncaught:', error))
}
