import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import type { GatewayChild } from './gateway-child'

/** A backend that is killed again and again, and comes back. */
export interface Victim {
  name: string
  config: Record<string, unknown>
  /** A tool that does not answer. */
  silent: string
  kill(gateway: GatewayChild): Promise<void> | void
}

interface HttpPeer {
  url: string
  close(): Promise<void>
}

/** An HTTP backend that comes back at the same port. */
export async function httpVictim(name: string, start: (port: number) => Promise<HttpPeer>): Promise<Victim> {
  let peer = await start(0)
  onTestFinished(() => peer.close())
  const port = Number(new URL(peer.url).port)
  const kill = async (): Promise<void> => {
    await peer.close()
    peer = await start(port)
  }
  return { name, silent: 'wait', kill, config: { url: peer.url } }
}

/** A process that the gateway starts again. */
export function stdioVictim(name: string, ...modes: string[]): Victim {
  const script = fileURLToPath(new URL('../peers/servers/scripted-stdio.mjs', import.meta.url))
  const kill = (gateway: GatewayChild): void => {
    try {
      process.kill(gateway.pidOf(name), 'SIGKILL')
    } catch (error) {
      // Between two lives there is no process.
      if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
    }
  }
  return { name, silent: 'never', kill, config: { type: 'stdio', command: process.execPath, args: [script, ...modes] } }
}
