import { fileURLToPath } from 'node:url'
import { compare, type ScenarioComparison } from './compare'
import { startConformanceGateway } from './conformance-gateway'
import { startFixture } from './fixture'
import { CLIENT_SCENARIOS, runClientScenario, runSuite } from './suite'

/**
 * `npm run conformance`: the official suite against the fixture directly and through the gateway, and its client scenarios
 * with the gateway between. Exits with 1 when a scenario that passes directly does not pass through the gateway, or when
 * the suite finds that a required one fails.
 */
const output = fileURLToPath(new URL('../../.cache/conformance/', import.meta.url))

const fixture = await startFixture()
const probed = await startConformanceGateway({ fixture: { type: 'http', url: fixture.url } })
const streaming = await startConformanceGateway(
  { fixture: { type: 'http', url: fixture.url, era: 'legacy' } },
  { responseMode: 'sse' },
)
const legacy = await startConformanceGateway({ fixture: { type: 'http', url: fixture.url, era: 'legacy' } })

// The gateway finds the fixture to be modern; pinned to the legacy era it serves the same backend in sessions.
const modernBackend = [
  { name: '/mcp/fixture, modern backend', folder: 'backend', url: `${probed.base}/mcp/fixture` },
  { name: '/mcp, modern backend', folder: 'aggregated', url: `${probed.base}/mcp` },
]
const legacyBackend = [
  { name: '/mcp/fixture, legacy backend', folder: 'legacy-backend', url: `${legacy.base}/mcp/fixture` },
  { name: '/mcp, legacy backend', folder: 'legacy-aggregated', url: `${legacy.base}/mcp` },
]
/**
 * The fixture streams every answer of a session, and the gateway answers as JSON where nothing comes before the result.
 * What a backend does with its stream in the middle of a call (`server-sse-polling`) the gateway deals with itself, also
 * where it streams every answer, too: then the suite sees its streams and how they begin, but none that it closes early.
 */
const ABOUT_STREAMS = new Set(['server-sse-multiple-streams', 'server-sse-polling'])
const ABOUT_POLLING = new Set(['server-sse-polling'])
const withJson = (ways: typeof modernBackend) => ways.map((way) => ({ ...way, inapplicable: ABOUT_STREAMS }))
const REVISIONS = [
  { revision: '2026-07-28', ways: modernBackend.map((way) => ({ ...way, inapplicable: new Set<string>() })) },
  {
    revision: '2025-11-25',
    ways: [
      ...withJson([...modernBackend, ...legacyBackend]),
      {
        name: '/mcp/fixture, legacy backend, every answer streamed',
        folder: 'streamed',
        url: `${streaming.base}/mcp/fixture`,
        inapplicable: ABOUT_POLLING,
      },
    ],
  },
]
let passed = 0
let failed = 0
try {
  for (const { revision, ways } of REVISIONS) {
    const direct = await runSuite(fixture.url, revision, `${output}${revision}/direct`)
    if (!direct.conforms) {
      console.log(`The suite finds that the fixture itself does not conform to ${revision}.`)
      failed += 1
    }
    for (const { name, folder, url, inapplicable } of ways) {
      const through = await runSuite(url, revision, `${output}${revision}/${folder}`)
      const scenarios = compare(direct.results, through.results, inapplicable)
      printTable(`${revision}, ${name}`, scenarios)
      passed += scenarios.filter((scenario) => scenario.gateway.failed === 0 && !scenario.lost).length
      failed += scenarios.filter((scenario) => scenario.lost).length
      if (!through.conforms) {
        console.log('The suite finds that a required scenario fails here.')
        failed += 1
      }
    }
  }
  console.log('\nclient scenarios of 2026-07-28, the gateway between')
  for (const scenario of CLIENT_SCENARIOS) {
    const { outcomes, conforms, report } = await runClientScenario(scenario, '2026-07-28', `${output}client`)
    const of = (status: string): number => [...outcomes.values()].filter((outcome) => outcome.status === status).length
    const counts = `${of('SUCCESS')}/${of('FAILURE') + of('WARNING')}`.padStart(12)
    console.log(`${scenario.padEnd(48)}${counts}  ${conforms ? 'passes' : 'FAILS'}`)
    if (conforms) passed += 1
    else {
      failed += 1
      console.log(report)
    }
  }
} finally {
  await Promise.all([probed, streaming, legacy].map((gateway) => gateway.close(0)))
  await fixture.close()
}
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1

function printTable(title: string, scenarios: readonly ScenarioComparison[]): void {
  console.log(
    `\n${title}\n${'scenario'.padEnd(48)}${'direct'.padStart(12)}${'gateway'.padStart(12)}  (checks passed/failed)`,
  )
  for (const { scenario, direct, gateway: through, lost, differences } of scenarios) {
    const verdict = lost ? 'LOST' : through.failed === 0 ? 'passes' : 'fails on both ways'
    const count = ({ passed: good, failed: bad }: { passed: number; failed: number }): string =>
      `${good}/${bad}`.padStart(12)
    console.log(`${scenario.padEnd(48)}${count(direct)}${count(through)}  ${verdict}`)
    for (const { check, direct: before, gateway: after } of differences) {
      console.log(`    ${check}: ${before?.status ?? 'absent'} -> ${after?.status ?? 'absent'} ${after?.message ?? ''}`)
    }
  }
}
