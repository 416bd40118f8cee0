import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import {
  CallToolRequestSchema,
  ListResourcesRequestSchema,
  ListToolsRequestSchema,
  SetLevelRequestSchema,
  SubscribeRequestSchema,
  UnsubscribeRequestSchema,
  type CallToolResult,
} from '@modelcontextprotocol/sdk/types.js'
import type { Waits } from './waits'

const TOOLS = [
  'echo',
  'progress',
  'log',
  'elicit',
  'attentive',
  'impatient',
  'roots',
  'wait',
  'big',
  'bump',
  'environment',
  'die',
  'poll',
  'touch',
  'watched',
]
const URIS = ['test://one', 'test://two']

/** A legacy server made with the 1.x SDK: one tool for each thing that a connector has to carry. */
export function createV1Server(waits: Waits = {}): Server {
  const server = new Server(
    { name: 'v1', version: '1.2.3' },
    {
      capabilities: { tools: { listChanged: true }, resources: { subscribe: true }, logging: {} },
      instructions: 'for tests',
    },
  )
  const watched = new Set<string>()
  server.setRequestHandler(SetLevelRequestSchema, () => ({}))
  server.setRequestHandler(ListResourcesRequestSchema, () => ({
    resources: URIS.map((uri) => ({ uri, name: uri })),
  }))
  server.setRequestHandler(SubscribeRequestSchema, ({ params }) => {
    watched.add(params.uri)
    return {}
  })
  server.setRequestHandler(UnsubscribeRequestSchema, ({ params }) => {
    watched.delete(params.uri)
    return {}
  })
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: TOOLS.map((name) => ({ name, inputSchema: { type: 'object' as const } })),
  }))
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra): Promise<CallToolResult> => {
    const { name, arguments: given = {} } = params
    switch (name) {
      case 'echo':
        return text(String(given.text))
      case 'progress': {
        const progressToken = params._meta?.progressToken
        for (let progress = 1; progress <= 3 && progressToken !== undefined; progress++)
          await extra.sendNotification({
            method: 'notifications/progress',
            params: { progressToken, progress, total: 3 },
          })
        return text('done')
      }
      case 'log':
        await extra.sendNotification({ method: 'notifications/message', params: { level: 'info', data: 'logged' } })
        return text('done')
      case 'elicit': {
        const answer = await server.elicitInput(
          {
            message: 'Your name?',
            requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
          },
          { relatedRequestId: extra.requestId },
        )
        return text(`${answer.action} ${JSON.stringify(answer.content ?? null)}`)
      }
      case 'attentive': {
        const seen: number[] = []
        const question = { message: 'Your steps?', requestedSchema: { type: 'object' as const, properties: {} } }
        const onprogress = ({ progress }: { progress: number }): void => void seen.push(progress)
        await server.elicitInput(question, { relatedRequestId: extra.requestId, onprogress })
        return text(seen.join(' '))
      }
      case 'impatient': {
        // A question that is taken back, with `notifications/cancelled`.
        const question = { message: 'Quick!', requestedSchema: { type: 'object' as const, properties: {} } }
        const late = server.elicitInput(question, { relatedRequestId: extra.requestId, timeout: 200 })
        return text(await late.then(() => 'answered').catch(() => 'gave up'))
      }
      case 'roots':
        // Asked on the session, not on the stream of the call.
        return text((await server.listRoots()).roots.map(({ uri }) => uri).join(' '))
      case 'wait': {
        const cancelled = new Promise<void>((resolve) => extra.signal.addEventListener('abort', () => resolve()))
        waits.began?.(name)
        await cancelled
        waits.cancelled?.(name)
        return text('never seen')
      }
      case 'big':
        return text('x'.repeat(Number(given.size)))
      case 'bump':
        await server.sendToolListChanged()
        return text('bumped')
      case 'touch':
        // As servers do: only who subscribed is told.
        if (watched.has(String(given.uri))) await server.sendResourceUpdated({ uri: String(given.uri) })
        return text('touched')
      case 'watched':
        return text([...watched].sort().join(' '))
      case 'environment':
        // Without a name, the folder that it runs in.
        return text(given.name === undefined ? process.cwd() : (process.env[String(given.name)] ?? '(not set)'))
      case 'poll':
        // Lets the client go and come back for the result (2025-11-25, polling over SSE).
        await extra.sendNotification({ method: 'notifications/message', params: { level: 'info', data: 'before' } })
        extra.closeSSEStream?.()
        return text('fetched later')
      case 'die':
        process.exit(7)
    }
    return { ...text(`no tool ${name}`), isError: true }
  })
  return server
}

function text(value: string): CallToolResult {
  return { content: [{ type: 'text', text: value }] }
}
