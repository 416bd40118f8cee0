import { type Command, InvalidArgumentError, Option } from 'commander'
import { type RunningSluice, startSluice } from '../composition'
import { printNotice } from '../print-notice'
import { ConfigurationError } from '../config/configuration-error'
import { dataDirectory } from '../places'
import { GatewayConfig } from '../../shared/config/schema'

/** Within this time after a signal the process is gone, whatever still hangs. */
const EXIT_MS = 2_900

type Host = GatewayConfig['host']

interface ServeFlags {
  config?: string
  port?: number
  host?: Host
  data: string
  capture?: string
  ui: boolean
  json: boolean
  demo: boolean
}

export function addServeCommand(program: Command): void {
  program
    .command('serve')
    .description('run the gateway, without a window')
    .option('--config <file>', 'configuration with mcpServers (default: sluice.json in the data folder)')
    .option('--port <number>', 'port of the gateway; 0 picks a free one (default: as configured, 7420)', parsePort)
    .addOption(
      new Option('--host <address>', 'loopback address to listen on').choices(
        GatewayConfig.shape.host.unwrap().options,
      ),
    )
    .option('--data <folder>', 'where keys and captures are kept', dataDirectory())
    .option('--capture <file>', 'capture file to write (default: a new one in the data folder)')
    .option('--ui', 'serve the desk to a browser', false)
    .option('--json', 'print events as NDJSON on stdout', false)
    .option('--demo', 'add the demo backends, and a client that calls them', false)
    .action(serve)
}

async function serve(flags: ServeFlags): Promise<void> {
  const stop = stopSignal()
  let running: RunningSluice
  try {
    running = await startSluice({
      configFile: flags.config ?? null,
      ...(flags.port === undefined ? {} : { port: flags.port }),
      ...(flags.host === undefined ? {} : { host: flags.host }),
      dataDirectory: flags.data,
      captureFile: flags.capture ?? null,
      demo: flags.demo,
      ui: flags.ui,
      env: process.env,
      onNotice: printNotice,
    })
  } catch (error) {
    if (error instanceof ConfigurationError) {
      console.error(`sluice: ${error.message}`)
      process.exitCode = 2
    } else {
      console.error(`sluice: could not start: ${error instanceof Error ? error.message : String(error)}`)
      process.exitCode = 1
    }
    return
  }
  console.log(flags.json ? JSON.stringify(listeningEvent(running)) : describe(running))
  await stop
  await running.close()
  process.exit(0)
}

/** The one line that scripts wait for. */
function listeningEvent({ endpoint, endpoints, ui, captureFile }: RunningSluice): object {
  return { event: 'listening', endpoint, endpoints, ui, capture: captureFile }
}

function describe({ version, endpoint, endpoints, ui, captureFile }: RunningSluice): string {
  const rows: [name: string, value: string][] = [['endpoint', endpoint], ...Object.entries(endpoints)]
  if (ui !== null) rows.push(['desk', ui])
  if (captureFile !== null) rows.push(['capture', captureFile])
  const width = Math.max(...rows.map(([name]) => name.length)) + 3
  const lines = rows.map(([name, value]) => `  ${name.padEnd(width)}${value}`)
  return [`Sluice ${version} is listening (Ctrl+C stops it)`, ...lines].join('\n')
}

/**
 * Resolves on SIGINT or SIGTERM; further signals are too late to matter. Asked for before anything is started, so that
 * whoever reads the `listening` line can stop it at once.
 */
function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    const stop = () => {
      setTimeout(() => {
        console.error('sluice: not everything could be closed in time')
        process.exit(1)
      }, EXIT_MS).unref()
      resolve()
    }
    process.on('SIGINT', stop).on('SIGTERM', stop)
  })
}

function parsePort(text: string): number {
  const port = Number(text)
  if (!/^\d+$/.test(text) || port > 65_535) throw new InvalidArgumentError('A port is a number from 0 to 65535.')
  return port
}
