import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { redactWords } from '../shared/capture/redact-fields'
import { withoutValues } from '../shared/capture/secret-values'
import { Configuration, type GatewayConfig } from '../shared/config/schema'
import { rememberedLoginShellPath } from './backends/login-shell-path'
import { createProcessRegistry } from './backends/process-registry'
import { keepPruning, newCaptureFile } from './capture/capture-folder'
import { createRecorder } from './capture/recorder'
import type { Recorder } from './capture/recorder-contract'
import { importableFiles } from './client-config/importable'
import { addEntryToFile } from './config/edit-configuration'
import { readSettings, setSettingInFile } from './config/edit-setting'
import { ConfigurationError } from './config/configuration-error'
import { ConfiguredBackends } from './config/configured-backends'
import { loadConfiguration } from './config/load-configuration'
import { redactionNames } from './config/redaction-names'
import { collectionsIn } from './compose/collections'
import { Composer } from './compose/composer'
import { type Control, createControl } from './control/control'
import { createDeskServer, type DeskServer } from './control/websocket-carrier'
import { DEMO_TIMING, type DemoBackends, startDemoBackends } from './demo/demo'
import { createDemoClient } from './demo/demo-client'
import { followConfiguration, tellWaiting } from './follow-configuration'
import { createGateway } from './gateway/gateway'
import { loadStateKeys } from './gateway/state-keys'
import type { Notice } from './notice'
import { readVersion, RENDERER_DIRECTORY } from './places'
import { playedCaptures, playedRecording } from './played-captures'
import { makeDataDirectory } from './data-directory'
import { LiveSecrets } from './config/secrets/live-secrets'
import type { SecretCipher } from './config/secrets/secret-cipher'
import { SecretVault } from './config/secrets/secret-vault'
import { checkSelection } from './replay/check-selection'
import { fileCaptures } from './replay/file-captures'
import { createReplayTarget, type ReplayTarget } from './replay/replay-target'
import { tellBackends } from './tell-backends'

export interface SluiceOptions {
  /** Null: `sluice.json` in the data folder, or `demo.json` for a demo; written when it is not there. */
  configFile: string | null
  /** Instead of the configured ones. */
  port?: number
  host?: GatewayConfig['host']
  /** Where keys, captures and the default configuration are kept. */
  dataDirectory: string
  /** Null: a new file in the data folder, unless the configuration says not to record. */
  captureFile: string | null
  /** Adds the demo backends and starts the client that calls them. */
  demo: boolean
  /** Serves the desk to a browser on this machine. */
  ui: boolean
  /** Started by a desktop, not in a shell: servers are looked up in the PATH of the login shell. */
  desktop?: boolean
  /** Encrypts secrets; absent where no desktop keeps a key for them. */
  secretCipher?: SecretCipher
  /** Opens a checked web address outside of Sluice; absent where no desktop can. */
  openExternal?: (url: string) => Promise<void>
  env: NodeJS.ProcessEnv
  onNotice: (notice: Notice) => void
}

export interface RunningSluice {
  version: string
  /** The aggregate endpoint. */
  endpoint: string
  /** One endpoint a backend. */
  endpoints: Record<string, string>
  /** Where the desk is served to a browser, with its token. */
  ui: string | null
  /** Null when nothing is written: it was told so, or the file was refused. */
  captureFile: string | null
  /** For the carrier of the desk's window. */
  control: Control
  /** Where recorded calls can be sent again. */
  replayTarget: ReplayTarget
  /** Stops accepting, ends open streams with an error frame, writes what is left. Takes less than three seconds. */
  close(): Promise<void>
}

/** A capture so large that it takes longer to index is checked when it is read: its backend tells what is wrong. */
const SELECTION_MS = 5_000
/** Open answers get their last bytes within this time. */
const GRACE_MS = 1_500

/** Puts the parts together and runs them. Rejects with `ConfigurationError`, or with an error whose message says why. */
export async function startSluice(options: SluiceOptions): Promise<RunningSluice> {
  const closers: (() => Promise<void> | void)[] = []
  const close = async (): Promise<void> => {
    for (const closer of closers.splice(0).reverse()) await closer()
  }
  try {
    return await start(options, closers, close)
  } catch (error) {
    await close()
    throw error
  }
}

async function start(
  options: SluiceOptions,
  closers: (() => Promise<void> | void)[],
  close: () => Promise<void>,
): Promise<RunningSluice> {
  const version = readVersion()
  makeDataDirectory(options.dataDirectory)
  const configFile = options.configFile ?? (await defaultConfigurationFile(options))
  const vault = new SecretVault(resolve(options.dataDirectory), options.secretCipher ?? null)
  const loaded = await loadConfiguration(configFile, options.env, vault)
  const secrets = new LiveSecrets(loaded.secrets)
  const captures = fileCaptures(resolve(options.dataDirectory))
  const problems = await checkSelection(loaded.configuration, captures, AbortSignal.timeout(SELECTION_MS))
  if (problems.length > 0) throw new ConfigurationError(loaded.file, problems)
  const stateKeys = await loadStateKeys(options.dataDirectory, options.env)

  const demoBackends = options.demo ? await startDemoBackends() : null
  if (demoBackends) closers.push(() => demoBackends.close())
  let current = complete(loaded.configuration, options, demoBackends)
  let applied = 0
  const inForce = (configuration: Configuration): Configuration => {
    applied++
    return (current = complete(configuration, options, demoBackends))
  }
  const configuration = current

  const captureFile = captureFileOf(options, configuration)
  const played = playedRecording(captureFile, configuration)
  if (played !== undefined) throw new ConfigurationError(loaded.file, [played])
  const recorder = createRecorder({
    file: captureFile,
    header: {
      gateway: { name: 'sluice', version, platform: `${process.platform}-${process.arch}` },
      backends: Object.entries(configuration.mcpServers).map(([name, config]) => ({
        name,
        type: config.type,
        ...('url' in config ? { url: config.url } : {}),
      })),
    },
    redaction: redactionNames(configuration, secrets),
    ...(options.captureFile === null && {
      rotation: { rules: () => current.gateway.captures, nextFile: () => newCaptureFile(options.dataDirectory) },
    }),
  })
  tellWaiting(secrets, options.onNotice)
  closers.push(() => recorder.close())
  tellProblems(recorder, options.onNotice)
  closers.push(
    keepPruning({
      dataFolder: options.dataDirectory,
      rules: () => ({ ...current.gateway.captures, spared: playedCaptures(current, configFile) }),
      onRemoved: (removed) => options.onNotice({ level: 'info', text: removedWords(removed) }),
      onProblem: (text) => options.onNotice({ level: 'warning', text }),
    }),
  )

  const registry = createProcessRegistry(join(options.dataDirectory, 'processes'), (text) =>
    options.onNotice({ level: 'warning', text }),
  )
  const processes = {
    ...registry,
    // The list stands on disk, as the capture does.
    add: (pid: number, command: string) => registry.add(pid, withoutValues(command, secrets.spellings)),
  }
  for (const { pid, command } of await processes.reapOrphans())
    options.onNotice({ level: 'info', text: `ended process ${pid} (${command}), which a run that crashed had left` })

  const searchPath = options.desktop === true ? rememberedLoginShellPath({ environment: options.env }) : undefined
  const backends = { processes, captures, ...(searchPath === undefined ? {} : { searchPath }) }
  const gateway = createGateway({ configuration, tap: recorder, stateKeys, version, backends })
  closers.push(() => gateway.close(GRACE_MS))
  const replayTarget = createReplayTarget(gateway, recorder)
  closers.push(() => replayTarget.close())
  // What a server said of itself may have its credentials in it, and a terminal's text goes into logs.
  const tellRedacted = (notice: Notice): void =>
    options.onNotice({ ...notice, text: redactWords(notice.text, recorder.redaction) })
  closers.push(tellBackends(gateway, tellRedacted))
  const { port, movedFrom } = await gateway.listen()
  if (movedFrom) {
    const holder = movedFrom.holder ? `, it is held by ${movedFrom.holder}` : ''
    options.onNotice({
      level: 'warning',
      text: `port ${movedFrom.port} is taken${holder}; listening on ${port} instead`,
    })
  }
  const endpoint = `${gateway.base}/mcp`

  const demoClient = demoBackends
    ? createDemoClient({ endpoint, onProblem: (text) => options.onNotice({ level: 'warning', text }) })
    : null

  const composer = new Composer({ base: () => gateway.base, version })
  closers.push(() => composer.close())
  closers.push(recorder.onChange((calls) => composer.recorded(calls)))
  const collections = configuration.compose?.collections

  const control = createControl({
    version,
    recorder,
    gateway,
    configFile,
    dataDirectory: options.dataDirectory,
    addEntry: (name, entry, problems) => addEntryToFile(configFile, name, () => ({ entry, problems })),
    configured: new ConfiguredBackends({
      file: configFile,
      env: options.env,
      secrets: vault,
      spellings: () => secrets.spellings,
      refuse: async (written) => {
        const recorded = playedRecording(recorder.status().file, written)
        if (recorded !== undefined) return [recorded]
        return checkSelection(written, captures, AbortSignal.timeout(SELECTION_MS))
      },
    }),
    off: () => current.off ?? [],
    applied: () => applied,
    isOfDemo: (name) => Object.hasOwn(demoBackends?.mcpServers ?? {}, name),
    replayTarget,
    settings: {
      read: () => readSettings(configFile, options.env, vault),
      set: async (path, value) => {
        await setSettingInFile(configFile, path, value ?? undefined, options.env, vault)
        return readSettings(configFile, options.env, vault)
      },
    },
    secrets: { vault, live: secrets },
    imports: {
      files: () =>
        importableFiles({ platform: process.platform, env: options.env, home: homedir(), project: process.cwd() }),
      add: ({ as, entry }) => addEntryToFile(configFile, as, () => ({ entry, problems: [] })),
    },
    compose: {
      composer,
      collections: collectionsIn(
        collections === undefined
          ? join(options.dataDirectory, 'collections')
          : resolve(dirname(configFile), collections),
      ),
      openExternal: options.openExternal ?? null,
    },
    demo: demoClient && {
      running: () => demoClient.running,
      set: (running) => (running ? demoClient.start() : demoClient.stop()),
    },
  })
  closers.push(() => control.close())
  const desk = options.ui ? await serveDesk(control, configuration.gateway.port === 0 ? 0 : port + 1) : null
  if (desk) closers.push(() => desk.close())

  const followers = { gateway, recorder, inForce, vault, secrets, control }
  closers.push(followConfiguration(configFile, options, followers, loaded.configuration))
  if (demoClient) {
    closers.push(() => demoClient.stop())
    demoClient.start()
  }

  return {
    version,
    endpoint,
    endpoints: Object.fromEntries(gateway.backends().map(({ name }) => [name, `${endpoint}/${name}`])),
    ui: desk?.url ?? null,
    captureFile: recorder.status().file,
    control,
    replayTarget,
    close,
  }
}

/** On the port beside the gateway's where that is free, so that a browser finds the desk's preferences again. */
async function serveDesk(control: Control, preferredPort: number): Promise<DeskServer> {
  const settings = { control, assets: RENDERER_DIRECTORY, token: randomBytes(24).toString('base64url') }
  try {
    return await createDeskServer({ ...settings, port: preferredPort > 65_535 ? 0 : preferredPort })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error
    return createDeskServer({ ...settings, port: 0 })
  }
}

/** Command line and demo count more than the file. */
function complete(configuration: Configuration, options: SluiceOptions, demo: DemoBackends | null): Configuration {
  const { gateway, mcpServers, off } = configuration
  const { mcpServers: demoServers } = Configuration.parse({ mcpServers: demo?.mcpServers ?? {} })
  for (const name of Object.keys(demoServers)) {
    if (!Object.hasOwn(mcpServers, name)) continue
    options.onNotice({
      level: 'warning',
      text: `the configured backend "${name}" is not used: the demo has one so named`,
    })
  }
  return {
    ...configuration,
    gateway: {
      ...gateway,
      ...(options.port === undefined ? {} : { port: options.port }),
      ...(options.host === undefined ? {} : { host: options.host }),
    },
    mcpServers: { ...mcpServers, ...demoServers },
    ...(off !== undefined && { off: off.filter(({ name }) => !Object.hasOwn(demoServers, name)) }),
  }
}

/** Says once that recording fails, and once that it works again. The relay goes on in either case. */
function tellProblems(recorder: Recorder, onNotice: SluiceOptions['onNotice']): void {
  let told: string | null = null
  const tell = (): void => {
    const { problem } = recorder.status()
    if (problem === told) return
    told = problem
    if (problem === null) onNotice({ level: 'info', text: 'the capture is written again' })
    else onNotice({ level: 'warning', text: `the capture is not written: ${problem}` })
  }
  recorder.onStatus(tell)
  tell()
}

/** The user's own file, or one for demos beside it; written when it is not there, so that it can be edited. */
async function defaultConfigurationFile({ dataDirectory, demo }: SluiceOptions): Promise<string> {
  const file = resolve(dataDirectory, demo ? 'demo.json' : 'sluice.json')
  const content = demo ? { gateway: DEMO_TIMING, mcpServers: {} } : { mcpServers: {} }
  try {
    await writeFile(file, `${JSON.stringify(content, null, 2)}\n`, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
  return file
}

function captureFileOf({ captureFile, dataDirectory }: SluiceOptions, { gateway }: Configuration): string | null {
  if (captureFile !== null) return resolve(captureFile)
  return gateway.captures.record ? newCaptureFile(dataDirectory) : null
}

function removedWords(removed: readonly { bytes: number }[]): string {
  const megabytes = Math.ceil(removed.reduce((sum, { bytes }) => sum + bytes, 0) / 1_000_000)
  return `removed captures of earlier runs, by gateway.captures: ${removed.length}, ${megabytes} MB`
}
