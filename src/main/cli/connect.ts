import { type Command, InvalidArgumentError } from 'commander'
import { VIA_VARIABLE } from '../backends/server-environment'
import { type RunningSluice, startSluice } from '../composition'
import { connectStdio } from '../connect/connect-stdio'
import { DEFAULT_URL, listeningPlace, somethingListens } from '../connect/gateway-at'
import type { Recovery } from '../connect/gateway-link'
import { dataDirectory, readVersion } from '../places'

/** Within this time after the client is served the process is gone, whatever still hangs. */
const EXIT_MS = 2_900

interface ConnectFlags {
  url: URL
  config?: string
  data: string
  start: boolean
}

export function addConnectCommand(program: Command): void {
  program
    .command('connect')
    .description('be a stdio server that carries to a running gateway, for clients that only launch commands')
    .option(
      '--url <url>',
      'endpoint of the gateway: all backends, or /mcp/<backend> for one',
      parseUrl,
      new URL(DEFAULT_URL),
    )
    .option(
      '--config <file>',
      'configuration of a gateway that is started here (default: sluice.json in the data folder)',
    )
    .option('--data <folder>', 'where a gateway that is started here keeps keys and captures', dataDirectory())
    .option('--no-start', 'do not start a gateway in this process when none answers at the URL')
    .addHelpText(
      'after',
      '\nOnly MCP goes to stdout, everything else to stderr. A gateway that was started here ends with the client.',
    )
    .action(connect)
}

async function connect(flags: ConnectFlags): Promise<void> {
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop.abort())
  // The client went away without ending our input first.
  process.stdout.on('error', () => stop.abort())

  const via = process.env[VIA_VARIABLE]
  // A server of a gateway that started a gateway, with the same configuration, would not be the last one.
  const host = flags.start && via === undefined ? new OwnGateway(flags) : undefined
  await connectStdio({
    input: process.stdin,
    output: process.stdout,
    url: flags.url,
    version: readVersion(),
    ...(via === undefined ? {} : { via }),
    ...(host === undefined ? {} : { recover: (url: URL) => host.recover(url) }),
    tell,
    signal: stop.signal,
  })
  setTimeout(() => process.exit(0), EXIT_MS).unref()
  await host?.close()
  process.exit(0)
}

/** A gateway in this process, started when none answers. */
class OwnGateway {
  readonly #flags: ConnectFlags
  #running: RunningSluice | undefined

  constructor(flags: ConnectFlags) {
    this.#flags = flags
  }

  async recover(url: URL): Promise<Recovery> {
    // Another process was faster, or a gateway that stopped is back.
    if (await somethingListens(url)) return { url }
    const place = listeningPlace(url)
    if (place === undefined) return { problem: 'the URL is not one of this machine; start it there with: sluice serve' }
    try {
      return await this.#start(url, place)
    } catch (error) {
      return { problem: error instanceof Error ? error.message : String(error) }
    }
  }

  async close(): Promise<void> {
    await this.#running?.close()
  }

  async #start(url: URL, place: NonNullable<ReturnType<typeof listeningPlace>>): Promise<Recovery> {
    const { config, data } = this.#flags
    await this.#running?.close()
    const running = await startSluice({
      configFile: config ?? null,
      ...place,
      dataDirectory: data,
      captureFile: null,
      demo: false,
      ui: false,
      env: process.env,
      onNotice: ({ level, text }) => tell(level === 'warning' ? `warning: ${text}` : text),
    })
    this.#running = running
    if (new URL(running.endpoint).port === url.port) {
      tell(`started a gateway at ${running.endpoint}; it ends with this process`)
      return { url }
    }
    // Somebody took the port in the meantime: most likely another client's connect, which is as good.
    this.#running = undefined
    await running.close()
    return { url }
  }
}

function tell(text: string): void {
  console.error(`sluice: ${text}`)
}

function parseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    throw new InvalidArgumentError(`A URL of a gateway is, for instance, ${DEFAULT_URL}.`)
  return url
}
