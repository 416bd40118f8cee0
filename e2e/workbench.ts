import { McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { answerByHand } from './answers'
import { type DemoBackend, reportProgress, startDemoBackend, textResult } from '../src/main/demo/demo-backend'

/** A backend whose calls move only when the test says so. */
export interface Workbench extends DemoBackend {
  /** Lets the next step of the call with this key happen. */
  step(key: string): void
  /** Resolves when the backend saw the cancellation of the call with this key. */
  cancelled(key: string): Promise<void>
}

const Key = z.object({ key: z.string() })
const Steps = Key.extend({ steps: z.int().default(3) })

export async function startWorkbench(): Promise<Workbench> {
  const steps = new Map<string, Turnstile>()
  const cancellations = new Map<string, Turnstile>()
  let counted = 0
  const turnstile = (of: Map<string, Turnstile>, key: string): Turnstile => {
    const existing = of.get(key)
    if (existing) return existing
    const made = new Turnstile()
    of.set(key, made)
    return made
  }
  /** Waits for the test, but not longer than the caller. */
  const wait = async (key: string, signal: AbortSignal): Promise<void> => {
    const passed = new AbortController()
    const aborted = new Promise<never>((_resolve, reject) => {
      const abort = () => {
        turnstile(cancellations, key).open()
        reject(new Error('cancelled'))
      }
      signal.addEventListener('abort', abort, { signal: passed.signal })
    })
    try {
      await Promise.race([turnstile(steps, key).pass(), aborted])
    } finally {
      passed.abort()
    }
  }

  const backend = await startDemoBackend(
    () => {
      const server = new McpServer({ name: 'workbench', version: '1.0.0' }, { capabilities: { logging: {} } })
      server.registerTool('quick', { inputSchema: Key }, ({ key }) => textResult(`quick ${key}`))
      // Says something else each time.
      server.registerTool('count', { inputSchema: Key }, ({ key }) => textResult(`count ${key} ${++counted}`))
      server.registerTool('silent', { inputSchema: Key }, async ({ key }, { mcpReq }) => {
        await wait(key, mcpReq.signal)
        return textResult(`silent ${key}`)
      })
      server.registerTool('stepwise', { inputSchema: Steps }, async ({ key, steps }, context) => {
        for (let step = 1; step <= steps; step++) {
          await reportProgress(context, step, steps, `step ${step}`)
          await context.mcpReq.log('info', { step }, 'workbench')
          await wait(key, context.mcpReq.signal)
        }
        return textResult(`stepwise ${key}`)
      })
      // Both are answered by hand, see `answerByHand`.
      server.registerTool('gallery', { description: 'One block of content of each kind.' }, () => textResult(''))
      const outputSchema = z.object({ celsius: z.number(), humidity: z.number() })
      server.registerTool('measure', { description: 'Does not give what it says.', outputSchema }, () => textResult(''))
      return server
    },
    (_request, response, message) => answerByHand(response, message),
  )
  return {
    ...backend,
    step: (key) => turnstile(steps, key).open(),
    cancelled: (key) => turnstile(cancellations, key).pass(),
  }
}

/** Each `open` lets one `pass` through, whichever comes first. */
class Turnstile {
  #opened = 0
  readonly #waiting: (() => void)[] = []

  open(): void {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#opened++
  }

  pass(): Promise<void> {
    if (this.#opened > 0) {
      this.#opened--
      return Promise.resolve()
    }
    return new Promise((resolve) => this.#waiting.push(resolve))
  }
}
