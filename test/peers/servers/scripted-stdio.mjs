// A stdio server that breaks the protocol in the ways that its arguments name. Needs no package, so that it starts fast.
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

const modes = new Set(process.argv.slice(2))
const write = (text) => process.stdout.write(text)
const send = (message) => write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
const content = (text) => ({ content: [{ type: 'text', text }], resultType: 'complete' })

if (modes.has('ignores-term')) process.on('SIGTERM', () => console.error('SIGTERM is ignored'))
if (modes.has('ignores-end')) setInterval(() => undefined, 1_000)
if (modes.has('noisy')) write('Listening for requests…\n{"half":\n[1,2]\n\n')
if (modes.has('with-child')) {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)'], { stdio: 'ignore' })
  console.error(`child ${child.pid}`)
}
if (modes.has('fails-at-start')) {
  console.error('no configuration found')
  process.exit(3)
}
for (let line = 1; modes.has('talkative') && line <= 1_500; line++) console.error(`line ${line}`)

createInterface({ input: process.stdin }).on('line', (line) => {
  const message = JSON.parse(line)
  console.error(`got ${line}`)
  const { id, method, params } = message
  if (id === undefined || method === undefined) return
  if (modes.has('silent')) return
  if (method === 'server/discover') {
    if (modes.has('dies-on-discover')) process.exit(9)
    if (modes.has('ignores-discover')) return
    if (modes.has('late-discover')) {
      setTimeout(() => send({ id, result: discovery() }), 150)
      return
    }
    if (modes.has('modern')) send({ id, result: discovery() })
    else if (modes.has('other-modern'))
      send({ id, error: { code: -32022, message: 'no', data: { supported: ['2027-01-01'], requested: '2026-07-28' } } })
    else send({ id, error: { code: -32601, message: 'Method not found' } })
    return
  }
  if (method === 'initialize') {
    if (modes.has('ignores-initialize')) return
    const answer = () => {
      if (modes.has('refuses-initialize')) send({ id, error: { code: -32603, message: 'not today' } })
      else
        send({
          id,
          result: {
            protocolVersion: modes.has('future') ? '2099-01-01' : params.protocolVersion,
            capabilities: { tools: {} },
            serverInfo: { name: 'scripted', version: '0' },
            declared: params,
          },
        })
    }
    if (modes.has('late-discover')) setTimeout(answer, 300)
    else answer()
    return
  }
  if (method === 'ping' && modes.has('loops')) {
    send({ id, error: { code: -32603, message: 'backend "x" leads back to this gateway', data: { reason: 'loop' } } })
    return
  }
  if (method === 'tools/call') tool(id, params.name, params)
  else send({ id, error: { code: -32601, message: 'Method not found' } })
})

function discovery() {
  return {
    supportedVersions: ['2026-07-28'],
    capabilities: {},
    resultType: 'complete',
    ttlMs: 0,
    cacheScope: 'private',
  }
}

function tool(id, name, params) {
  switch (name) {
    case 'die':
      process.exit(7)
      break
    case 'last-words':
      send({ id, result: content('said before the end') })
      process.exit(0)
      break
    case 'never':
      break
    case 'closes-output':
      process.stdout.end()
      setInterval(() => undefined, 1_000)
      break
    case 'giant':
      send({ id, result: content('x'.repeat(100_000)) })
      break
    case 'nameless-giant':
      write(`${'x'.repeat(100_000)}\n`)
      break
    case 'spelling':
      write(`{ "jsonrpc":"2.0",  "id":${JSON.stringify(id)}, "result":{"n":1.0,"big":12345678901234567890} }\r\n`)
      break
    case 'noise':
      write('debug: here I am\n')
      send({ id, result: content('done') })
      break
    case 'log':
      send({ method: 'notifications/message', params: { level: 'info', data: 'logged' } })
      send({ id, result: content('done') })
      break
    case 'batch':
      write(
        `[${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: id, progress: 1 } })}, ${JSON.stringify({ jsonrpc: '2.0', id, result: content('batched') })}]\n`,
      )
      break
    case 'asks':
      send({ id: 'server-1', method: 'sampling/createMessage', params: {} })
      break
    case 'pings':
      send({ id: 'ping-1', method: 'ping' })
      send({ id, result: content('pinged') })
      break
    case 'string-id':
      send({ id: String(id), result: content('by its string form') })
      break
    case 'unknown-id':
      send({ id: 'never-asked', result: {} })
      send({ id, result: content('done') })
      break
    case 'flood':
      for (let count = 0; count < 200; count++)
        send({
          method: 'notifications/progress',
          params: { progressToken: id, progress: count, message: 'y'.repeat(1_000) },
        })
      break
    default:
      send({ id, result: content(String(params.arguments?.text ?? name)) })
  }
}
