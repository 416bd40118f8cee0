import { randomBytes } from 'node:crypto'
import { createGateway, type Gateway } from '../../src/main/gateway/gateway'
import { Configuration } from '../../src/shared/config/schema'

/** A gateway that listens. Names stay as they are, so that the suite finds them on the aggregated endpoint, too. */
export async function startConformanceGateway(
  mcpServers: Record<string, unknown>,
  settings: Record<string, unknown> = {},
): Promise<Gateway> {
  const gateway = createGateway({
    configuration: Configuration.parse({
      gateway: { port: 0, names: { policy: 'priority' }, ...settings },
      mcpServers,
    }),
    // What is recorded has its own tests; here it would only fill memory.
    tap: uncounted(),
    stateKeys: { current: 'conformance', secrets: new Map([['conformance', new Uint8Array(randomBytes(32))]]) },
    version: 'conformance',
  })
  await gateway.listen()
  return gateway
}

function uncounted(): Parameters<typeof createGateway>[0]['tap'] {
  let calls = 0
  let exchanges = 0
  return { record: () => 0, nextCall: () => (calls += 1), nextExchange: () => (exchanges += 1) }
}
