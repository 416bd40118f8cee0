import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { createGateway } from '../../src/main/gateway/gateway'
import { Configuration } from '../../src/shared/config/schema'
import { compare, type ScenarioComparison } from './compare'
import { startFixture } from './fixture'
import { runSuite } from './suite'

/**
 * `npm run conformance`: the official suite against the fixture directly and through both kinds of endpoint. Exits with 1
 * when a scenario that passes directly does not pass through the gateway, or when the suite finds that a required one fails.
 */
const REVISIONS = ['2026-07-28'] as const
const output = fileURLToPath(new URL('../../.cache/conformance/', import.meta.url))

const fixture = await startFixture()
const gateway = createGateway({
  configuration: Configuration.parse({
    // Names stay as they are, so that the suite finds them on the aggregated endpoint, too.
    gateway: { port: 0, names: { policy: 'priority' } },
    mcpServers: { fixture: { type: 'http', url: fixture.url } },
  }),
  // What is recorded has its own tests; here it would only fill memory.
  tap: { record: () => 0, nextCall: () => 1, nextExchange: () => 1 },
  stateKeys: { current: 'conformance', secrets: new Map([['conformance', new Uint8Array(randomBytes(32))]]) },
  version: 'conformance',
})
await gateway.listen()

const ways = [
  { name: '/mcp/fixture', folder: 'backend', url: `${gateway.base}/mcp/fixture` },
  { name: '/mcp', folder: 'aggregated', url: `${gateway.base}/mcp` },
]
let passed = 0
let failed = 0
try {
  for (const revision of REVISIONS) {
    const direct = await runSuite(fixture.url, revision, `${output}${revision}/direct`)
    if (!direct.conforms) {
      console.log('The suite finds that the fixture itself does not conform.')
      failed += 1
    }
    for (const { name, folder, url } of ways) {
      const through = await runSuite(url, revision, `${output}${revision}/${folder}`)
      const scenarios = compare(direct.results, through.results)
      printTable(`${revision}, ${name}`, scenarios)
      passed += scenarios.filter((scenario) => scenario.gateway.failed === 0 && !scenario.lost).length
      failed += scenarios.filter((scenario) => scenario.lost).length
      if (!through.conforms) {
        console.log('The suite finds that a required scenario fails here.')
        failed += 1
      }
    }
  }
} finally {
  await gateway.close(0)
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
