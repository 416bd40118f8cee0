import { setTimeout as pause } from 'node:timers/promises'
import { completable, McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { type DemoBackend, reportProgress, startDemoBackend, textResult } from './demo-backend'

const STEPS = ['reading stations', 'reading radar', 'blending models', 'checking alerts', 'writing the forecast']
const STEP_MS = 600
/** What the prompt's argument may go on with. */
const CITIES = ['Kyoto', 'Lisbon', 'Oslo', 'Ostrava', 'Tromsø']

/** Shows a call that streams: five steps of progress with log messages between them, over three seconds. */
export function startWeather(): Promise<DemoBackend> {
  return startDemoBackend(() => {
    const server = new McpServer({ name: 'demo-weather', version: '1.0.0' }, { capabilities: { logging: {} } })

    server.registerTool(
      'forecast',
      {
        title: 'Forecast',
        description: 'Forecasts the weather of a city, reporting progress and log messages on the way.',
        inputSchema: z.object({ city: z.string(), days: z.int().min(1).max(7).default(3) }),
      },
      async ({ city, days }, context) => {
        for (const [index, step] of STEPS.entries()) {
          await pause(STEP_MS, undefined, { signal: context.mcpReq.signal })
          await reportProgress(context, index + 1, STEPS.length, step)
          const level = step === 'checking alerts' ? 'warning' : 'info'
          await context.mcpReq.log(level, { step, city }, 'forecast')
        }
        return textResult(`${city}, next ${days} days: rain, then sun, 17 °C`)
      },
    )

    server.registerTool(
      'current',
      {
        title: 'Current weather',
        description: 'Answers at once: plain JSON, no stream.',
        inputSchema: z.object({ city: z.string() }),
      },
      ({ city }) => textResult(`${city}: light rain, 14 °C`),
    )

    server.registerPrompt(
      'packing-list',
      {
        title: 'Packing list',
        description: 'Asks a model what to pack for a city.',
        argsSchema: z.object({
          city: completable(z.string(), (typed) => CITIES.filter((city) => city.startsWith(typed))),
        }),
      },
      ({ city }) => ({
        messages: [{ role: 'user', content: { type: 'text', text: `What should I pack for a week in ${city}?` } }],
      }),
    )
    return server
  })
}
