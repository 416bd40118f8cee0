import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/shared/protocol/json-rpc'
import { startBackend, startGateway, type Running } from '../gateway/running-gateway'
import { call, modernRequest, send, type ModernOptions } from '../peers/raw-client'
import { serve } from '../peers/scripted-server'
import type { Stub, StubHandler } from '../peers/stub-backend'

/** The tasks extension (SEP-2663) through the gateway. */
const EXTENSION = 'io.modelcontextprotocol/tasks'
const TASKS = { extensions: { [EXTENSION]: {} } }
const TIMES = {
  createdAt: '2026-07-28T00:00:00Z',
  lastUpdatedAt: '2026-07-28T00:00:00Z',
  ttlMs: 1.0,
  pollIntervalMs: 5,
}

const task = (more: JsonObject = {}): JsonObject => ({ taskId: 't__1', status: 'working', ...TIMES, ...more })
const answerTask: StubHandler = (_, reply) => reply.result({ resultType: 'task', ...task() })
const acknowledge: StubHandler = (_, reply) => reply.result({})

function withTasks(): Promise<Stub> {
  return startBackend(
    serve({
      capabilities: { tools: {}, ...TASKS },
      tools: { slow: { call: answerTask } },
      methods: {
        'tasks/get': (request, reply) =>
          request.params.taskId === 't__1'
            ? reply.result(task({ status: 'completed', result: { content: [] } }))
            : reply.error(200, { code: -32602, message: 'Unknown task' }),
        'tasks/update': acknowledge,
        'tasks/cancel': acknowledge,
        'subscriptions/listen': (request, reply) => {
          const stream = reply.sse()
          const tag = { _meta: { 'io.modelcontextprotocol/subscriptionId': request.id } }
          const { notifications } = request.params
          stream.event({
            jsonrpc: '2.0',
            method: 'notifications/subscriptions/acknowledged',
            params: { notifications, ...tag },
          })
          const { taskIds } = notifications as { taskIds?: string[] }
          for (const taskId of taskIds ?? [])
            stream.event({ jsonrpc: '2.0', method: 'notifications/tasks', params: task({ taskId, ...tag }) })
        },
      },
    }),
  )
}
const withoutTasks = (): Promise<Stub> => startBackend(serve({ tools: { slow: { call: answerTask } } }))

async function started(backends: Record<string, Stub>): Promise<Running> {
  const running = await startGateway(backends)
  await running.tap.until('backend.catalog', Object.keys(backends).length)
  return running
}

interface Answered {
  status: number
  result: JsonObject
  error: JsonObject
}

async function answer(
  url: string,
  method: string,
  params: JsonObject,
  options: ModernOptions = { capabilities: TASKS },
): Promise<Answered> {
  const response = await call(url, method, params, options)
  const { result, error } = (await response.json()) as unknown as Answered
  return { status: response.status, result, error }
}

describe('tasks on the aggregate endpoint', () => {
  it('are offered when a backend has them', async () => {
    const capabilities = async (backends: Record<string, Stub>): Promise<unknown> =>
      (await answer((await started(backends)).all, 'server/discover', {})).result.capabilities
    expect(await capabilities({ a: await withoutTasks(), b: await withTasks() })).toMatchObject(TASKS)
    expect(await capabilities({ a: await withoutTasks() })).not.toHaveProperty('extensions')
  })

  it('have ids that lead back to the backend that owns them; the calls are one operation', async () => {
    const [a, b] = [await withTasks(), await withTasks()]
    const { all, tap } = await started({ a, b })
    const created = await answer(all, 'tools/call', { name: 'b__slow', arguments: {} })
    expect(created.result).toMatchObject({ resultType: 'task', taskId: 'b__t__1' })
    const taskId = 'b__t__1'
    expect((await answer(all, 'tasks/get', { taskId })).result).toMatchObject({ taskId, status: 'completed' })
    expect(await answer(all, 'tasks/update', { taskId, inputResponses: { q: {} } })).toMatchObject({ status: 200 })
    expect(await answer(all, 'tasks/cancel', { taskId })).toMatchObject({ status: 200 })
    for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
      const [request] = b.of(method)
      expect([request?.params.taskId, request?.headers['mcp-name']]).toEqual(['t__1', 't__1'])
      expect(a.of(method)).toEqual([])
    }
    const routed = tap.of('call.routed').slice(-4)
    expect(new Set(routed.map(({ operation }) => operation)).size).toBe(1)
    expect(routed.map(({ round }) => round)).toEqual([1, 2, 3, 4])
    expect(tap.of('call.ended').find(({ outcome }) => outcome === 'task')).toBeDefined()
    const edits = tap.of('response.frame').flatMap((frame) => frame.edits)
    expect(edits).toContainEqual(expect.objectContaining({ what: 'taskId', was: '"t__1"', now: '"b__t__1"' }))
  })

  it.each([
    ['an unknown task', 'a__gone', TASKS, { status: 200, error: { code: -32602, message: 'Unknown task' } }],
    ['a backend without tasks', 'plain__t', TASKS, { status: 400, error: { code: -32602 } }],
    ['no backend', 'nobody__t', TASKS, { status: 400, error: { code: -32602 } }],
    ['an id of no gateway', 't', TASKS, { status: 400, error: { code: -32602 } }],
    [
      'a client that does not declare them',
      'a__t__1',
      {},
      { status: 400, error: { code: -32021, data: { requiredCapabilities: TASKS } } },
    ],
  ])('%s is an error', async (_, taskId, capabilities, expected) => {
    const { all } = await started({ a: await withTasks(), plain: await withoutTasks() })
    expect(await answer(all, 'tasks/get', { taskId }, { capabilities })).toMatchObject(expected)
  })

  it('are unknown methods when no backend has them', async () => {
    const { all } = await started({ plain: await withoutTasks() })
    expect(await answer(all, 'tasks/get', { taskId: 'plain__t' })).toMatchObject({
      status: 404,
      error: { code: -32601 },
    })
  })

  it('of which a backend tells a client that did not declare them pass as they are', async () => {
    const { all } = await started({ a: await withTasks() })
    const created = await answer(all, 'tools/call', { name: 'a__slow', arguments: {} }, {})
    expect(created.result).toMatchObject({ taskId: 't__1' })
  })

  it('are told of on a subscription, each by its owner, under the id that the client has', async () => {
    const [a, b] = [await withTasks(), await withTasks()]
    const { all } = await started({ a, b, plain: await withoutTasks() })
    const notifications = { taskIds: ['b__x', 'a__y', 'b__z', 'plain__t', 'nobody__t', 'no'] }
    const request = modernRequest('subscriptions/listen', { notifications }, { capabilities: TASKS, id: 's' })
    const stream = send(all, request.body, request.headers)
    const messages: JsonObject[] = []
    while (messages.length < 4) messages.push(JSON.parse((await stream.nextFrame())?.data ?? '{}') as JsonObject)
    stream.destroy()
    const params = messages.map((message) => message.params as JsonObject)
    expect(params[0]).toMatchObject({ notifications: { taskIds: ['b__x', 'a__y', 'b__z'] } })
    expect(
      params
        .slice(1)
        .map(({ taskId }) => taskId)
        .sort(),
    ).toEqual(['a__y', 'b__x', 'b__z'])
    expect(params.every(({ _meta }) => JSON.stringify(_meta).endsWith('"s"}'))).toBe(true)
    expect(a.of('subscriptions/listen').map((asked) => asked.params.notifications)).toEqual([{ taskIds: ['y'] }])
    expect(b.of('subscriptions/listen').map((asked) => asked.params.notifications)).toEqual([{ taskIds: ['x', 'z'] }])
  })
})

it('on the endpoint of one backend ids are unchanged, and the calls still one operation', async () => {
  const a = await withTasks()
  const { one, tap } = await started({ a })
  expect((await answer(one(), 'tools/call', { name: 'slow', arguments: {} })).result).toMatchObject({ taskId: 't__1' })
  expect((await answer(one(), 'tasks/get', { taskId: 't__1' })).result).toMatchObject({ taskId: 't__1' })
  const routed = tap.of('call.routed').slice(-2)
  expect(routed.map(({ round }) => round)).toEqual([1, 2])
  expect(routed[0]?.operation).toBe(routed[1]?.operation)
})
