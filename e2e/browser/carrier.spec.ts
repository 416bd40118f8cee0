import WebSocket from 'ws'
import { expect, test } from '../desk'

test('the address is cleaned of its token, and a reload still works', async ({ desk, opened }) => {
  await expect(desk.getByTestId('endpoint').first()).toBeVisible()
  expect(opened.ui).toMatch(/token=/)
  expect(desk.url()).not.toContain('token')
  await desk.reload()
  await expect(desk.getByTestId('endpoint').first()).toBeVisible()
})

test.describe('a server that is gone', () => {
  test.use({ provoked: /WebSocket connection|ERR_CONNECTION_REFUSED/ })

  test('is said in the desk', async ({ desk, opened }) => {
    await expect(desk.getByTestId('endpoint').first()).toContainText('/mcp')
    await expect(desk.getByTestId('connection-banner')).toHaveCount(0)
    await opened.stopServing?.()
    await expect(desk.getByTestId('connection-banner')).toBeVisible()
  })
})

test.describe('the WebSocket', () => {
  /** The close code that a client with this token and origin is sent away with, or 'welcome'. */
  async function knock(ui: string, token: string, origin: string | undefined): Promise<number | 'welcome'> {
    const url = new URL(ui)
    const socket = new WebSocket(`ws://${url.host}/desk`, origin === undefined ? {} : { origin })
    return new Promise((resolve) => {
      socket.on('open', () => socket.send(JSON.stringify({ hello: { token } })))
      socket.on('message', () => {
        resolve('welcome')
        socket.close()
      })
      socket.on('close', (code) => resolve(code))
      socket.on('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0))
      socket.on('error', () => undefined)
    })
  }

  test('takes the right token from the right origin only', async ({ desk, opened }) => {
    await expect(desk.getByTestId('endpoint').first()).toBeVisible()
    const ui = opened.ui ?? ''
    const { origin, searchParams } = new URL(ui)
    const token = searchParams.get('token') ?? ''
    expect(await knock(ui, token, origin)).toBe('welcome')
    expect(await knock(ui, 'wrong', origin)).toBe(4401)
    expect(await knock(ui, token, 'http://evil.example')).toBe(403)
  })
})
