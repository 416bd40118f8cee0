import { createServer } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { Listener } from './listener'

const open: { close(): void }[] = []
afterEach(() => {
  for (const one of open.splice(0)) one.close()
})
function listener(): Listener {
  const made = new Listener((_request, response) => response.end('here'))
  open.push({ close: () => made.destroy() }, { close: () => made.stopAccepting() })
  return made
}
const occupy = (host: string): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, host, () => resolve((server.address() as { port: number }).port))
    open.push(server)
  })

it('port 0 picks one and serves it', async () => {
  const { port, movedFrom } = await listener().listen(0, '127.0.0.1')
  expect(movedFrom).toBeUndefined()
  expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('here')
})

it('a taken port moves to the next free one and names its holder', async () => {
  const taken = await occupy('127.0.0.1')
  const { port, movedFrom } = await listener().listen(taken, '127.0.0.1')
  expect(port).not.toBe(taken)
  expect(movedFrom?.port).toBe(taken)
  if (process.platform === 'linux') expect(movedFrom?.holder).toContain(`pid ${process.pid}`)
})
