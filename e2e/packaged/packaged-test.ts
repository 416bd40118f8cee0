import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test as base, TIMING } from '../desk'
import { type PackagedApp, startPackaged } from './packaged-app'

/** Starts the packaged app on this test's own folder and backend; what still runs at the end is ended. */
export const test = base.extend<{ start: (env?: NodeJS.ProcessEnv, more?: string[]) => Promise<PackagedApp> }>({
  start: async ({ folder, workbench }, use) => {
    const config = join(folder, 'sluice.json')
    const mcpServers = { workbench: { type: 'http', url: workbench.url } }
    await writeFile(config, JSON.stringify({ gateway: { port: 0, ...TIMING }, mcpServers }))
    const started: PackagedApp[] = []
    await use(async (env = {}, more = []) => {
      const app = await startPackaged(['--config', config, '--data', join(folder, 'data'), ...more], env)
      started.push(app)
      return app
    })
    for (const app of started) await app.quit()
  },
})
