import type {
  CallEvent,
  CallReceived,
  CallRouted,
  CaptureEvent,
  HeaderList,
  NewCaptureEvent,
  UpstreamFrame,
} from '../../src/shared/capture/events'
import type { JsonObject, JsonValue, RequestId } from '../../src/shared/protocol/json-rpc'

type WithoutCall<T> = T extends CallEvent ? Omit<T, 'seq' | 'at' | 'call'> : never
type Step = WithoutCall<CallEvent>

export interface CallOptions {
  call?: number
  id?: RequestId
  method?: string
  params?: JsonObject
  meta?: JsonObject
  headers?: HeaderList
  body?: string
  backend?: string
  round?: number
  operation?: string
}

export const PROTOCOL_META: JsonObject = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'script', version: '1' },
}

/** A hand-made call: events in order, 1 ms apart unless `wait` says more. */
export class CallScript {
  readonly events: CallEvent[] = []
  private at = 1_000
  private lastFrame = 0
  private readonly call: number

  constructor(
    private readonly options: CallOptions = {},
    private seq = 0,
  ) {
    this.call = options.call ?? 1
  }

  push(step: Step): this {
    this.seq++
    this.events.push({ seq: this.seq, at: this.at, call: this.call, ...step })
    this.at += 1_000
    return this
  }

  wait(microseconds: number): this {
    this.at += microseconds
    return this
  }

  get last(): number {
    return this.seq
  }

  received(more: Partial<CallReceived> = {}): this {
    const { id = 1, method = 'tools/call', backend = 'weather' } = this.options
    const params: JsonObject = this.options.params ?? { name: 'forecast', arguments: {} }
    const meta = { ...PROTOCOL_META, ...this.options.meta }
    const token = meta.progressToken
    const name = [params.name, params.uri, params.taskId].find((value) => typeof value === 'string')
    const headers: HeaderList = this.options.headers ?? [
      ['Content-Type', 'application/json'],
      ['Accept', 'application/json, text/event-stream'],
      ['MCP-Protocol-Version', '2026-07-28'],
      ['Mcp-Method', method],
      ...(typeof name === 'string' ? ([['Mcp-Name', name]] satisfies HeaderList) : []),
    ]
    return this.push({
      kind: 'call.received',
      endpoint: `/mcp/${backend}`,
      era: 'modern',
      http: { method: 'POST', path: `/mcp/${backend}`, headers },
      body: this.options.body ?? JSON.stringify({ jsonrpc: '2.0', id, method, params: { ...params, _meta: meta } }),
      id,
      method,
      ...(typeof name === 'string' && { name }),
      ...((typeof token === 'string' || typeof token === 'number') && { progressToken: token }),
      deferralWindowMs: 15_000,
      responseMode: 'auto',
      ...more,
    })
  }

  routed(more: Partial<CallRouted> = {}): this {
    const { backend = 'weather', operation = 'op-1', round = 1 } = this.options
    return this.push({ kind: 'call.routed', backend, backendEra: 'modern', operation, round, edits: [], ...more })
  }

  sent(exchange = 1, body?: string): this {
    const backend = this.options.backend ?? 'weather'
    const received = this.events.find((event) => event.kind === 'call.received')
    return this.push({
      kind: 'upstream.sent',
      exchange,
      backend,
      http: { method: 'POST', url: 'http://127.0.0.1:9/mcp', headers: [['content-type', 'application/json']] },
      body: body ?? (received?.kind === 'call.received' ? received.body : '{}'),
    })
  }

  head(type = 'text/event-stream', status = 200, exchange = 1): this {
    return this.push({ kind: 'upstream.head', exchange, status, headers: [['Content-Type', type]] })
  }

  upstream(raw: string, form: UpstreamFrame['form'] = 'event', exchange = 1): this {
    this.push({ kind: 'upstream.frame', exchange, form, raw })
    this.lastFrame = this.seq
    return this
  }

  /** An SSE event with a message, as the SDK frames it. */
  event(message: JsonValue, exchange = 1): this {
    return this.upstream(`event: message\ndata: ${JSON.stringify(message)}`, 'event', exchange)
  }

  upstreamEnded(exchange = 1): this {
    return this.push({ kind: 'upstream.ended', exchange, reason: 'complete' })
  }

  committed(form: 'json' | 'sse' = 'sse', status = 200): this {
    return this.push({
      kind: 'response.committed',
      form,
      status,
      cause: form === 'json' ? 'result' : 'notification',
      headers: [['content-type', form === 'json' ? 'application/json' : 'text/event-stream']],
    })
  }

  /** A frame to the client that carries on the event before it. */
  frame(
    message: JsonValue,
    kind: 'notification' | 'result' | 'error' = 'notification',
    form: 'event' | 'body' = 'event',
  ): this {
    return this.push({
      kind: 'response.frame',
      form,
      message: kind,
      raw: JSON.stringify(message),
      from: this.lastFrame,
      edits: [],
    })
  }

  ended(
    outcome: 'result' | 'error' | 'input-required' | 'cancelled' = 'result',
    by: 'backend' | 'client' | 'gateway' = 'backend',
  ): this {
    return this.push({ kind: 'call.ended', outcome, by })
  }
}

export function result(value: JsonObject = {}, id: RequestId = 1): JsonObject {
  return { jsonrpc: '2.0', id, result: { resultType: 'complete', content: [], ...value } }
}

export function progress(value: number, token: RequestId = 'p', total = 5): JsonObject {
  return {
    jsonrpc: '2.0',
    method: 'notifications/progress',
    params: { progressToken: token, progress: value, total, message: `step ${value}` },
  }
}

export function log(level: string, data: JsonValue = 'text'): JsonObject {
  return { jsonrpc: '2.0', method: 'notifications/message', params: { level, logger: 'test', data } }
}

/** A call with progress and a log, streamed, that ended well. */
export function progressCall(options: CallOptions = {}, firstSeq = 0): CallEvent[] {
  const meta = { progressToken: 'p', 'io.modelcontextprotocol/logLevel': 'info', ...options.meta }
  const script = new CallScript({ ...options, meta }, firstSeq).received().routed().sent().head()
  script.event(progress(1)).committed().frame(progress(1))
  script.event(log('info')).frame(log('info'))
  script.event(progress(2)).frame(progress(2))
  script.event(result()).frame(result(), 'result').upstreamEnded().ended()
  return script.events
}

/** A call with a plain JSON answer: eight events. */
export function plainCall(options: CallOptions = {}, firstSeq = 0): CallEvent[] {
  const script = new CallScript(options, firstSeq).received().routed().sent().head('application/json')
  script.upstream(JSON.stringify(result()), 'body').committed('json').frame(result(), 'result', 'body').ended()
  return script.events
}

/** The events as the gateway hands them over. */
export function unstamped(events: readonly CaptureEvent[]): NewCaptureEvent[] {
  return events.map((event) => {
    const { seq: _seq, at: _at, ...rest } = event
    return rest
  })
}
