import type { BackendStatus } from '../../shared/api/contract'
import type { Fact } from '../controls/card'
import { CopyButton } from '../controls/copy-button'
import page from '../controls/page.module.css'
import { formatSince, plural } from '../text/format'
import { Visible } from '../text/visible'
import styles from './backend-view.module.css'
import { HEALTH_WORDS } from './health-dot'

const TRANSPORTS: Record<string, string> = {
  http: 'http · Streamable HTTP',
  sse: 'sse · HTTP+SSE, as it was in 2024-11-05',
  stdio: 'stdio · a process that Sluice runs',
}

/** What is known of a backend, one fact a line. */
export function backendFacts(backend: BackendStatus, now: number): Fact[] {
  const { counts, serverInfo, era, protocolVersion } = backend
  const info = serverInfo === undefined ? 'did not say' : `${serverInfo.name} ${serverInfo.version ?? ''}`.trim()
  const facts: Fact[] = [
    {
      name: 'health',
      value: `${HEALTH_WORDS[backend.health]} ${formatSince(now - backend.changedAt)}`,
      ...(backend.health === 'ready' ? {} : { tone: backend.health === 'down' ? ('error' as const) : 'warn' }),
    },
    ...(backend.ofDemo === true ? [{ name: 'configured', value: 'by the demo, in no file' }] : []),
    { name: 'transport', value: TRANSPORTS[backend.type] ?? backend.type },
    {
      name: 'era',
      value: era === null ? 'not found out yet' : protocolVersion === undefined ? era : `${era}, ${protocolVersion}`,
    },
  ]
  if (backend.url !== undefined) facts.push({ name: 'url', value: backend.url })
  if (backend.command !== undefined) facts.push({ name: 'command', value: copied(backend.command, 'command line') })
  if (backend.instances !== undefined) facts.push({ name: 'processes', value: PROCESSES[backend.instances] })
  facts.push(
    { name: 'server', value: info },
    {
      name: 'endpoint',
      value: copied(backend.endpoint, 'endpoint of this backend', 'this backend alone, names unchanged'),
    },
    {
      name: 'offers',
      value: [
        plural(counts.tools, 'tool'),
        plural(counts.prompts, 'prompt'),
        plural(counts.resources, 'resource'),
        plural(counts.resourceTemplates, 'template'),
      ].join(' · '),
    },
  )
  return facts
}

const PROCESSES = {
  shared: 'one for all clients',
  'per-session': 'one for each session of a legacy client, one for all modern clients',
}

function copied(text: string, what: string, note?: string) {
  return (
    <span className={styles.copied}>
      <Visible text={text} />
      {/* At the end of the last line of a long text, not below it. */}
      <CopyButton text={text} what={what} />
      {note !== undefined && <span className={page.quiet}>{note}</span>}
    </span>
  )
}
