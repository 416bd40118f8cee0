import { mountDesk } from '../../src/renderer/shell/mount-desk'
import type { BackendStatus, CommandName, DeskStatus } from '../../src/shared/api/contract'
import { CAPTURES } from './captures'
import { FixtureConnection } from './fixture-connection'
import * as legacy from './legacy-scenarios'
import { printLines } from './printed-lines'
import * as scenarios from './scenarios'
import { bookTrip } from './trip-scenarios'

/**
 * Address parameters: `calls=N` history rows, `live=1` calls keep coming, `only=NAME` one scenario that just began,
 * `notes=1` some calls are marked, `state=empty|no-backend|disconnected|unauthorized|failing|loss`.
 */
const parameters = new URLSearchParams(location.search)
const state = parameters.get('state')
const history = Number(parameters.get('calls') ?? 14)
const HISTORY_MS = 3_600_000

const backend = (
  name: string,
  more: { [K in keyof BackendStatus]?: BackendStatus[K] | undefined } = {},
): BackendStatus => ({
  name,
  type: 'http',
  url: `http://127.0.0.1:8001/mcp`,
  endpoint: `http://127.0.0.1:7420/mcp/${name}`,
  era: 'modern',
  health: 'ready',
  changedAt: Date.now() - 340_000,
  serverInfo: { name: `demo-${name}`, version: '1.0.0' },
  counts: { tools: 4, prompts: 1, resources: 1, resourceTemplates: 1 },
  ...more,
})
const status: DeskStatus = {
  version: '0.1.0',
  endpoint: 'http://127.0.0.1:7420/mcp',
  applied: 0,
  off: [
    { name: 'recorded', type: 'replay', place: 3 },
    { name: 'an-old-one-with-a-name-that-is-rather-long-too', type: 'http', place: 9 },
  ],
  waiting: [],
  configFile: '/home/dev/.config/sluice/sluice.json',
  recording: {
    on: true,
    file: '/home/dev/.local/share/sluice/captures/2026-11-29.sluice',
    calls: history,
    events: history * 14,
    bytes: 18_200_000,
    lostEvents: state === 'loss' ? 312 : 0,
    problem: state === 'loss' ? 'no space left on device' : null,
  },
  backends:
    state === 'no-backend'
      ? []
      : [
          backend('weather'),
          backend('booking'),
          backend('archive', { health: 'degraded', reason: 'prompts/list answered after 4.2 s' }),
          backend('faults'),
          backend('files', {
            type: 'stdio',
            url: undefined,
            command: 'npx -y @modelcontextprotocol/server-filesystem /srv/files --token «secret»',
            instances: 'shared',
            restartable: true,
            era: 'legacy',
            protocolVersion: '2025-06-18',
            serverInfo: { name: 'secure-filesystem-server', version: '0.2.0' },
          }),
          backend('old-tools', {
            type: 'stdio',
            url: undefined,
            command:
              'docker run -i --rm --mount type=bind,src=/home/ada/code,dst=/srv/code --mount type=bind,src=/home/ada/notes,dst=/srv/notes -e LOG_LEVEL=debug ghcr.io/example/old-tools-server:2.11.3-alpine --root /srv/code --root /srv/notes --read-only',
            instances: 'per-session',
            restartable: true,
            era: 'legacy',
            health: 'down',
            changedAt: Date.now() - 21_000,
            reason: "the process exited with code 1; last on stderr: ModuleNotFoundError: No module named 'old_tools'",
            serverInfo: undefined,
            counts: { tools: 0, prompts: 0, resources: 0, resourceTemplates: 0 },
          }),
          backend('github', {
            url: 'https://mcp.example.com/mcp',
            era: 'legacy',
            health: 'needs-sign-in',
            changedAt: Date.now() - 64_000,
            reason: 'it answered initialize with 401',
            challenge:
              'Bearer resource_metadata="https://mcp.example.com/.well-known/oauth-protected-resource", scope="repo read:org", error="invalid_token"',
            serverInfo: undefined,
            counts: { tools: 0, prompts: 0, resources: 0, resourceTemplates: 0 },
          }),
          backend('search-with-a-rather-long-name', {
            health: 'down',
            era: null,
            changedAt: Date.now() - 130_000,
            reason: 'connection refused at 127.0.0.1:8009',
          }),
        ],
  demo: { running: state !== 'empty' && state !== 'no-backend' },
  startedAt: new Date(Date.now() - HISTORY_MS).toISOString(),
}

const connection = new FixtureConnection(status, HISTORY_MS)
printLines(connection)
if (state === 'captures') connection.captures.open = CAPTURES
if (state === 'failing') {
  const failing: CommandName[] = [
    'calls.list',
    'call.events',
    'operation.calls',
    'backend.catalog',
    'recording.set',
    'demo.set',
  ]
  for (const name of failing) connection.failing.add(name)
}

const usual = [
  scenarios.discover,
  scenarios.lists,
  scenarios.cancelled,
  scenarios.current,
  scenarios.refusedByBackend,
  scenarios.toolError,
  scenarios.dies,
  scenarios.hostile,
  scenarios.silent,
  scenarios.forecast,
  legacy.sessionRenewed,
  legacy.samplingRefused,
  legacy.stdioAsks,
  legacy.postedAnswer,
  legacy.drivenBooking,
]
if (state !== 'empty' && state !== 'no-backend') {
  for (let index = 0; index < history - 14; index++) {
    connection.play(usual[index % usual.length]!, HISTORY_MS - 60_000 - index * ((HISTORY_MS - 200_000) / history))
  }
  const only = parameters.get('only')
  if (only !== null) {
    const scenario = Object.entries({ ...scenarios, ...legacy }).find(([name]) => name === only)?.[1]
    if (typeof scenario === 'function') connection.play(scenario, Number(parameters.get('ago') ?? 0))
  } else {
    connection.play(legacy.sessionStream, 70_000)
    connection.play(legacy.listening, 65_000)
    connection.play(legacy.sessionEnd, 63_000)
    connection.play(legacy.drivenOpen, 4_500)
    usual.forEach((scenario, index) => connection.play(scenario, 100_000 - index * 5_000))
    bookTrip.forEach(({ scenario }, index) =>
      connection.play((call) => scenario(call, 'op-trip'), 40_000 - index * 8_100),
    )
  }
  if (parameters.get('notes') !== null) {
    const note =
      'The first that is slow.\nThe backend logs "pool exhausted" just before; ask Ada whether the limit was changed on friday.'
    connection.annotate(3, { mark: 'red', pinned: false, comment: note })
    connection.annotate(4, { mark: 'orange', pinned: true, comment: null })
    connection.annotate(5, { mark: 'green', pinned: false, comment: 'fixed\u202E elbisivni ' + 'x'.repeat(300) })
    connection.annotate(7, { mark: 'blue', pinned: true, comment: 'dies here, every time' })
    connection.annotate(8, { mark: 'violet', pinned: false, comment: null })
    connection.annotate(9, { mark: null, pinned: false, comment: 'ok' })
  }
  if (parameters.get('live') !== null) {
    let turn = 0
    const next = () => {
      connection.play(usual[turn++ % usual.length]!)
      window.setTimeout(next, Number(parameters.get('live')) || 900)
    }
    next()
  }
}

mountDesk(document.getElementById('root')!, (onUnauthorized) => {
  if (state === 'unauthorized') window.setTimeout(onUnauthorized, 50)
  if (state === 'disconnected') window.setTimeout(() => connection.setConnected(false), 300)
  return connection
})
