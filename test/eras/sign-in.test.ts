import { expect, it } from 'vitest'
import { startBackend, startGateway } from '../gateway/running-gateway'
import { call } from '../peers/raw-client'
import { openSession } from './clients-by-hand'

const CHALLENGE = 'Bearer resource_metadata="https://auth.example/.well-known/x"'

/** Wants credentials, whatever it is asked. */
const closed = (status: number) =>
  startBackend((_, { response }) => void response.writeHead(status, { 'www-authenticate': CHALLENGE }).end())

it.each([
  ['http', 'modern', 401],
  ['http', 'legacy', 403],
  ['http', 'auto', 401],
  ['sse', undefined, 401],
] as const)(
  'a backend of type %s, era %s, that wants credentials (%i) says which, to clients of both eras',
  async (type, era, status) => {
    const { url } = await closed(status)
    const { gateway, one } = await startGateway({ closed: { type, url, ...(era === undefined ? {} : { era }) } })
    await expect
      .poll(() => gateway.backends()[0]?.state)
      .toMatchObject({
        health: 'needs-sign-in',
        challenge: CHALLENGE,
        reason: expect.stringContaining('"passHeaders"') as string,
      })
    const told = {
      error: {
        code: -32603,
        message: expect.stringMatching(/HTTP 40[13].*"passHeaders"\.$/) as string,
        data: { backend: 'closed', reason: 'http-status', status, wwwAuthenticate: CHALLENGE },
      },
    }
    expect(await (await call(one(), 'tools/call', { name: 'x', arguments: {} })).answer()).toMatchObject(told)
    const { initialized } = await openSession(one())
    expect(initialized).toMatchObject({ error: { code: -32603 } })
  },
)
